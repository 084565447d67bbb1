import type { JsonObject } from '../../domain/json.ts';
import type { Caller } from '../access/caller.ts';
import type { McpSession } from '../access/token.ts';
import type { OperationTable } from '../operations/table.ts';
import type { InnerRequest } from '../pipeline/innerCall.ts';
import type { Services } from '../services.ts';

/** One request `tools/call`. */
export interface ToolCall {
  caller: Caller;
  services: Services;
  session: McpSession | undefined;
  /** Id of the JSON-RPC request, unique within the session. */
  id: string | number;
  input: JsonObject;
  /** Runs an operation for the caller. Throws its Problem. */
  operate(operationId: keyof OperationTable, request: InnerRequest): Promise<JsonObject>;
  /** Sends a request to the client; its answer arrives as a request of its own (replyToQuestion.ts). */
  ask(id: string, params: JsonObject): Promise<void>;
  /** Has no effect unless the client asked for progress. */
  progress(message: string): Promise<void>;
  /** Aborts when the client has disconnected, which does not end the execution. */
  signal: AbortSignal;
}

export interface ToolResult {
  [member: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: JsonObject;
  isError?: boolean;
}

export function resultOf(structuredContent: JsonObject, isError = false): ToolResult {
  const content = [{ type: 'text' as const, text: JSON.stringify(structuredContent) }];
  return { content, structuredContent, ...(isError ? { isError } : {}) };
}
