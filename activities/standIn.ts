import type { JsonObject } from '../domain/json.ts';
import type { Node } from '../domain/workflow/definition.ts';
import type { ActionResult } from './apps/executor.ts';

/** A step whose inputs are resolved, and whose work is to be done now. */
export interface StepCall {
  workspaceId: string;
  executionId: string;
  /** Empty at the top. */
  iteration: string;
  node: Node;
  /** From 1. */
  attempt: number;
  inputs: JsonObject;
}

/**
 * Does the work of a step in the place of its action, its agent or the workflow that it runs. Undefined: that is done
 * itself. Of tests of workflows alone (cases/): nothing else has one.
 */
export type StandIn = (call: StepCall) => ActionResult | undefined;
