import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import type { ToolCall } from '../../../domain/agent/turnCalls.ts';
import type { ChildStart } from '../../../domain/execution/childExecution.ts';
import type { JsonObject } from '../../../domain/json.ts';

/** A call with all that it stands on. */
export interface ToolToRun extends ToolCall {
  agentId: string;
  taskId: string;
  definition: AgentDefinition;
  input: JsonObject;
}

/** `refused`: the model is told. */
export type AcceptedTool = { kind: 'execution'; start: ChildStart } | { kind: 'refused'; error: string };
