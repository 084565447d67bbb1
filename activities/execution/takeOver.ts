import type { ExecutionRef } from '../../domain/execution/executionRef.ts';
import { takeOver as takeOverBatches } from '../../engine/executions/takeOver.ts';
import type { ActivityServices } from '../services.ts';

/** Limit of one call: cancellations arrive between calls, and workflow tasks stay short. */
const CALL_MS = 2_000;

export function takeOver(services: ActivityServices, ref: ExecutionRef): Promise<boolean> {
  return takeOverBatches(services, ref, CALL_MS);
}
