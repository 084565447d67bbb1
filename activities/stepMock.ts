import type { JsonObject } from '../domain/json.ts';
import type { Node } from '../domain/workflow/definition.ts';
import type { ActionResult } from './apps/executor.ts';

export interface StepCall {
  workspaceId: string;
  executionId: string;
  iteration: string;
  node: Node;
  attempt: number;
  inputs: JsonObject;
}

/** Undefined: the real work is done. Only tests of workflows (cases/) replace it. */
export type StepMock = (call: StepCall) => ActionResult | undefined;
