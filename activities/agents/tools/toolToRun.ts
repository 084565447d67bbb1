import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import type { ToolCall, TurnStart } from '../../../domain/agent/turnCalls.ts';
import type { ChildStart } from '../../../domain/execution/childExecution.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';

export interface ToolToRun extends ToolCall {
  agentId: string;
  taskId: string;
  definition: AgentDefinition;
  input: JsonObject;
}

/** `done`: nothing is left to do. `refused`: the model receives the refusal. */
export type AcceptedTool =
  | { kind: 'execution'; start: ChildStart }
  | { kind: 'turn'; start: TurnStart }
  | { kind: 'activity'; tries: number }
  | { kind: 'done'; output: Json }
  | { kind: 'refused'; error: string };

export type ToolResult = { status: 'COMPLETED'; output: Json } | { status: 'FAILED' | 'STOPPED'; error: string };
