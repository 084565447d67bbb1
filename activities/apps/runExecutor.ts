import type { JsonObject } from '../../domain/json.ts';
import type { ActionCall, ActionResult, Executor } from './executor.ts';

export async function runExecutor(
  executor: Executor,
  inputs: JsonObject,
  call: Partial<Omit<ActionCall, 'inputs'>> = {},
): Promise<ActionResult> {
  return executor({ inputs, idempotencyKey: 'step-1', attempt: 1, signal: new AbortController().signal, ...call });
}
