import type { JsonObject } from '../json.ts';
import type { ToolPolicy } from './definition.ts';

/** What a call of it is: one file of activities/agents/tools/ each. */
export type ToolKind =
  | 'action'
  | 'workflow'
  | 'agent'
  | 'knowledge'
  | 'result'
  | 'mcp'
  | 'memory'
  | 'plan'
  | 'selfInstructions'
  | 'entity'
  | 'variable'
  | 'builtIn'
  | 'discovery'
  | 'platform';

/** A tool as the model is offered it. */
export interface OfferedTool {
  /** `[A-Za-z0-9_-]{1,64}`, once a turn. */
  name: string;
  description: string;
  /** JSON Schema of an object. */
  inputSchema: JsonObject;
  kind: ToolKind;
  policy: ToolPolicy;
  /** The model is told of it only once a search has found it (discovery.ts). */
  mustBeFound?: true;
  /** What is wrong with arguments, as the model is told it; nothing where they can be taken. */
  problems(input: JsonObject): string[];
}

/** All that the workflow sees of a call: no argument, and only names that the agent's owner has given. */
export interface ToolCallRef {
  toolCallId: string;
  kind: ToolKind;
  name: string;
}

/** NEEDS_APPROVAL: a person is asked; DENIED: the policy or that person said no. */
export type ToolCallStatus = 'PENDING' | 'NEEDS_APPROVAL' | 'COMPLETED' | 'FAILED' | 'DENIED' | 'STOPPED';
