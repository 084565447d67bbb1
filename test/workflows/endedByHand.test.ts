import { beforeAll, expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { engineStatus, stackTemporal } from '../setup/stack/temporal.ts';
import { action, chain, control, edges } from '../setup/workspace/graph.ts';
import { type Home, makeHome, stepOf } from '../setup/workspace/home.ts';

let home: Home;
beforeAll(async () => {
  home = await makeHome();
});

const ITEMS = Array.from({ length: 150 }, (_, index) => index);

/** Starts a loop in child workflows; returns the execution's id when the first iterations run. */
async function loopOnItsWay(onError: 'fail' | 'continue'): Promise<string> {
  const executionId = await home.execute(
    await home.deploy({
      nodes: [
        control('loop', 'forEach', { items: ITEMS, concurrency: 5 }, { onError }),
        action('wait', 'testing.wait', { ms: 600_000 }, { parentId: 'loop' }),
        action('after', 'core.transform', { value: 'went on' }),
      ],
      edges: chain('loop', 'after'),
    }),
  );
  const path = `/api/executions/${executionId}/steps?filterBy=nodeId:wait,status:RUNNING`;
  await poll(async () => (await home.api('GET', path)).body.length, { timeout: 20_000 }).toBe(5);
  return executionId;
}

test.each([
  ['cancelled', 'fail'],
  ['terminated', 'fail'],
  ['cancelled', 'continue'],
  ['terminated', 'continue'],
] as const)('a loop whose child workflow is %s by hand fails (onError: %s)', async (how, onError) => {
  const executionId = await loopOnItsWay(onError);
  const child = (await stackTemporal()).workflow.getHandle(`${executionId}/loop:0`);
  await (how === 'cancelled' ? child.cancel() : child.terminate('by hand'));
  const execution = await home.ended(executionId);
  expect(stepOf(execution, 'loop')).toMatchObject({
    status: 'FAILED',
    error: { code: `ITERATIONS_${how.toUpperCase()}`, message: expect.stringContaining(`was ${how} in the engine`) },
  });
  if (onError === 'fail') expect(execution.status).toBe('FAILED');
  else expect(execution).toMatchObject({ status: 'COMPLETED', output: 'went on' });
  const open = `/api/executions/${executionId}/steps?filterBy=status:RUNNING`;
  expect((await home.api('GET', open)).body).toEqual([]);
  expect(await engineStatus(executionId)).toBe(onError === 'fail' ? 'FAILED' : 'COMPLETED');
});

test('in a loop inside a loop, the inner one fails, and the outer one as its iterations do', async () => {
  const executionId = await home.execute(
    await home.deploy({
      nodes: [
        control('outer', 'forEach', { items: ['a'], onItemError: 'continue' }),
        control('loop', 'forEach', { items: ITEMS, concurrency: 5 }, { parentId: 'outer' }),
        action('wait', 'testing.wait', { ms: 600_000 }, { parentId: 'loop' }),
      ],
      edges: edges(),
    }),
  );
  const path = `/api/executions/${executionId}/steps?filterBy=nodeId:wait,status:RUNNING`;
  await poll(async () => (await home.api('GET', path)).body.length, { timeout: 20_000 }).toBe(5);
  await (await stackTemporal()).workflow.getHandle(`${executionId}/outer:0/loop:0`).cancel();
  const execution = await home.ended(executionId);
  expect(execution).toMatchObject({ status: 'COMPLETED', output: [{ error: { code: 'ITERATIONS_CANCELLED' } }] });
});
