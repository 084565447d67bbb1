// test: long
import { expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { beginAgain } from '../setup/stack/beginAgain.ts';
import { engineStatus, stackTemporal } from '../setup/stack/temporal.ts';
import { action, chain, control } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

/** Enough for four parallel child workflows: up to 476 items run in one. */
const ITEMS = Array.from({ length: 600 }, (_, index) => index);

async function longLoop(home: Home, ms: number): Promise<string> {
  const executionId = await home.execute(
    await home.deploy({
      nodes: [
        control('loop', 'forEach', { items: ITEMS, concurrency: 100 }),
        action('wait', 'testing.wait', { ms: `{{ loop.index < 100 ? 1 : ${ms} }}` }, { parentId: 'loop' }),
        action('work', 'core.transform', { value: '{{ loop.item }}' }, { parentId: 'loop' }),
      ],
      edges: chain('wait', 'work'),
    }),
  );
  await home.until(executionId, ({ executionPath }) => executionPath?.[0]?.iterations?.completed > 20);
  return executionId;
}

test.each(['first task', 'last task'] as const)(
  'a loop in child workflows continues correctly from its %s',
  async (from) => {
    const home = await makeHome();
    const executionId = await longLoop(home, 1_000);
    await beginAgain(executionId, from);
    const ended = await home.ended(executionId);
    expect(ended).toMatchObject({ status: 'COMPLETED', output: ITEMS });
    expect(ended.executionPath[0].iterations).toEqual({ total: ITEMS.length, completed: ITEMS.length, failed: 0 });
    expect(await engineStatus(executionId)).toBe('COMPLETED');
  },
);

test('a cancellation reaches the child workflows of a loop whose workflow has begun again', async () => {
  const home = await makeHome();
  const executionId = await longLoop(home, 600_000);
  await beginAgain(executionId);
  const handle = (await stackTemporal()).workflow.getHandle(executionId);
  const scheduled = async () =>
    (await handle.fetchHistory()).events?.map(
      (event) => event.activityTaskScheduledEventAttributes?.activityType?.name,
    );
  await poll(scheduled, { timeout: 20_000, interval: 100 }).toContain('awaitIterations');
  expect((await home.api('POST', `/api/executions/${executionId}/cancel`)).status).toBe(200);
  expect((await home.ended(executionId)).status).toBe('CANCELLED');
  for (const engineId of [executionId, `${executionId}/loop:0`]) expect(await engineStatus(engineId)).toBe('CANCELLED');
});

/** Counts calls of each item; items from `held` on get their response after `release`. */
async function counted(held: number) {
  const waiting: (() => void)[] = [];
  let isReleased = false;
  const { url, calls } = await loopback(({ url: path }, response) => {
    const answer = () => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    if (isReleased || Number(path.slice(1)) < held) answer();
    else waiting.push(answer);
  });
  return {
    url,
    callsOf: (item: number) => calls.filter((call) => call.url === `/${item}`).length,
    get held() {
      return waiting.length;
    },
    release() {
      isReleased = true;
      for (const answer of waiting) answer();
    },
  };
}

test.each([
  ['in the workflow', 30],
  ['in child workflows', 150],
])('iterations that have ended are not run again by a reset: a loop %s', async (_name, count) => {
  const home = await makeHome();
  const server = await counted(12);
  const executionId = await home.execute(
    await home.deploy({
      nodes: [
        control('loop', 'forEach', { items: Array.from({ length: count }, (_, index) => index), concurrency: 5 }),
        action('call', 'http.request', { method: 'GET', url: `${server.url}/{{ loop.index }}` }, { parentId: 'loop' }),
      ],
    }),
  );
  await home.until(executionId, ({ executionPath }) => executionPath?.[0]?.iterations?.completed === 12);
  await poll(() => server.held).toBe(5);
  await beginAgain(executionId);
  server.release();
  expect((await home.ended(executionId)).status).toBe('COMPLETED');
  const items = Array.from({ length: 12 }, (_, index) => index);
  expect(items.map(server.callsOf)).toEqual(items.map(() => 1));
  // The child continues during the reset and repeats no call.
  if (count === 150) expect(server.callsOf(140)).toBe(1);
});
