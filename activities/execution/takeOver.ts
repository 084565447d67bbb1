import type { ExecutionRef } from '../../domain/execution/executionRef.ts';
import { takeOver as takeOverBatches } from '../../engine/executions/takeOver.ts';
import type { ActivityServices } from '../services.ts';

/** Limit of one call: cancellations arrive between calls, and workflow tasks stay short. */
const CALL_MS = 2_000;

/** Takes over ended iterations for a retry, for a while; whether there are more. */
export function takeOver(services: ActivityServices, ref: ExecutionRef): Promise<boolean> {
  return takeOverBatches(services, ref, CALL_MS);
}
