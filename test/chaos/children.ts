import { expect } from '@jest/globals';
import { isTerminal } from '../../domain/execution/status.ts';
import { endOfSubWorkflow } from '../model/subWorkflows.ts';
import { expectAbout } from '../setup/jest/expectAbout.ts';
import { poll } from '../setup/jest/poll.ts';
import { engineStatus } from '../setup/stack/temporal.ts';
import type { World } from './life.ts';

// biome-ignore lint/suspicious/noExplicitAny: its shape was checked against openapi.yaml
type Loose = any;

/** An execution that nobody waits for may end after its parent. */
const END_MS = 60_000;

/** Each child exists once, and ended alike in the engine, the row and the step. Returns all ids, nested ones too. */
export async function judgeChildren(world: World, executionId: string): Promise<string[]> {
  const { home, temporal } = world;
  const { executionPath, childExecutions, status } = await home.read(executionId, 'childExecutions');
  const steps: Loose[] = executionPath.filter(({ input, reused }: Loose) => input?.executionId && !reused);
  const ids: string[] = childExecutions.map(({ id }: Loose) => id);
  const reported: string[] = steps.map(({ input }) => input.executionId);
  expectAbout(new Set(reported).size, 'each step has an execution of its own').toBe(reported.length);
  expect(ids).toEqual(expect.arrayContaining(reported));
  // If it was interrupted between acceptance and the write of the step, the step does not mention its child.
  if (status === 'COMPLETED') expectAbout(ids.length, 'none without a step').toBe(reported.length);

  const below: string[] = [];
  for (const id of ids) {
    const statusOf = async () => (await home.read(id)).status as string;
    await poll(async () => isTerminal((await statusOf()) as never), { timeout: END_MS, interval: 500 }).toBe(true);
    const end = await statusOf();
    expectAbout(await engineStatus(id, temporal), `${id}, started by ${executionId}`).toBe(end);
    const step = steps.find(({ input }) => input.executionId === id);
    const waits = step?.input.wait !== false;
    const isWhole = step && (waits ? step.status !== 'CANCELLED' : true);
    if (isWhole) expectAbout(end, `${step.nodeId} ran ${step.input.slug}`).toBe(endOfSubWorkflow(step.input.slug));
    below.push(id, ...(await judgeChildren(world, id)));
  }
  return below;
}
