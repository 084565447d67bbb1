import type { Json, JsonObject } from '../json.ts';
import type { ToolPolicy } from './definition.ts';

/** Of the error of a call: it stands in the message, and goes to the model with each step. */
export const MAX_ERROR_CHARACTERS = 4_000;

/** The kind of its calls: one file in activities/agents/tools/ each. */
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
  /** The model sees it only once a search, or a large result, has named it (discovery.ts). */
  mustBeFound?: true;
  /** What a call of it runs, beyond its name: an approval is of that alone (activities/agents/shownTool.ts). */
  bound?: Json;
  /** The problems of arguments, as text for the model; empty if they are valid. */
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
