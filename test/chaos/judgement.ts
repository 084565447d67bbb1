import { expect } from '@jest/globals';
import { compare } from '../model/comparison.ts';
import { expectAbout } from '../setup/jest/expectAbout.ts';
import type { Effects } from './effects.ts';
import type { Life, Lived } from './life.ts';

/** Throws if a rule is violated. */
export function judge(
  { random }: Life,
  { submitted }: Lived,
  // biome-ignore lint/suspicious/noExplicitAny: its shape was checked against openapi.yaml
  execution: any,
  { keys, done }: Effects,
): 'whole' | 'ended early' {
  expect(execution.pendingInput).toEqual([]);
  for (const { ended } of submitted.values())
    if (ended) expectAbout(execution.status, 'as the cancellation answered').toBe(ended);
  const how = compare(random, execution);
  for (const { id, nodeId, status, output, appId, reused } of execution.executionPath) {
    // Checked in the execution where it ran.
    if (reused) continue;
    const input = submitted.get(id);
    if (input && status === 'COMPLETED' && random.answers.get(nodeId) === 'answer') {
      if (input.accepted === undefined)
        expectAbout(input.tries, `${nodeId}: an answer of its person`).toContain(output.said);
      else expectAbout(output.said, `${nodeId}: the accepted answer`).toBe(input.accepted);
    }
    if (appId === 'http' && status === 'COMPLETED') {
      const used = [...(keys.get(`/${execution.id}/${nodeId}`) ?? [])];
      expectAbout(used, `${nodeId}: one idempotency key`).toHaveLength(1);
      expectAbout(done, `${nodeId}: its effect`).toContain(used[0]);
    }
  }
  return how;
}
