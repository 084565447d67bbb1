import type { Json, JsonObject } from '../json.ts';
import type { ToolPolicy } from './definition.ts';

/** Limit for a call's error: it is stored in the message and sent to the model with each step. */
export const MAX_ERROR_CHARACTERS = 4_000;

/** Each kind has a file in activities/agents/tools/. */
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

export interface OfferedTool {
  /** `[A-Za-z0-9_-]{1,64}`, unique in a turn. */
  name: string;
  description: string;
  inputSchema: JsonObject;
  kind: ToolKind;
  policy: ToolPolicy;
  /** Offered only after a search, or a large result, has named it (discovery.ts). */
  mustBeFound?: true;
  /** The parts of a call in addition to its name. An approval covers exactly this (activities/agents/toolDigest.ts). */
  bound?: Json;
  /** Returns the problems of arguments as text for the model; empty if they are valid. */
  problems(input: JsonObject): string[];
}

/** The part of a call that the workflow sees: no arguments, and only names given by the agent's owner. */
export interface ToolCallRef {
  toolCallId: string;
  kind: ToolKind;
  name: string;
}

/** NEEDS_APPROVAL: a person must decide. DENIED: by the policy or that person. */
export type ToolCallStatus = 'PENDING' | 'NEEDS_APPROVAL' | 'COMPLETED' | 'FAILED' | 'DENIED' | 'STOPPED';
