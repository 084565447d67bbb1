// test: long
import { expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { action, control } from '../setup/workspace/graph.ts';
import { neighbourOn } from '../setup/workspace/neighbour.ts';

const AT_ONCE = 4;
/** Half of the shared places, and all places of the overflow queue. */
const MAX_AT_ONCE = AT_ONCE / 2 + AT_ONCE;
const ITEMS = 12;
const STARTS = 8;
const PATIENCE = { timeout: 60_000, interval: 100 };

const { stack, home } = await ownHome({ environment: { ACTIONS_AT_ONCE: String(AT_ONCE) } });
const neighbour = await neighbourOn(stack);

const shown = ({ status, executionPath }: { status: string; executionPath: { status: string }[] }) => [
  status,
  executionPath.at(-1)?.status,
];

async function slowServer() {
  const open = new Map<object, () => void>();
  const answered = new Map<string, number>();
  let isOpen = false;
  const { url } = await loopback(({ headers }, response) => {
    const key = String(headers['idempotency-key']);
    const answer = () => {
      open.delete(response);
      answered.set(key, (answered.get(key) ?? 0) + 1);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    };
    response.on('close', () => open.delete(response));
    if (isOpen) return answer();
    open.set(response, answer);
  });
  return {
    url,
    inside: () => open.size,
    answered,
    open() {
      isOpen = true;
      for (const answer of [...open.values()]) answer();
    },
  };
}

test('a workspace that uses its whole share delays no other, and its waiting actions survive kill -9', async () => {
  const slow = await slowServer();
  const call = action('call', 'http.request', { method: 'POST', url: slow.url }, { timeoutMs: 120_000 });
  const items = Array.from({ length: ITEMS }, (_, index) => index);
  const wide = {
    nodes: [control('all', 'forEach', { items, concurrency: ITEMS }), { ...call, parentId: 'all' }],
  };
  const loop = await home.execute(await home.deploy(wide));
  const single = await home.deploy({ nodes: [call] });
  const ids = [loop, ...(await Promise.all(Array.from({ length: STARTS }, () => home.execute(single))))];
  await poll(slow.inside, PATIENCE).toBe(MAX_AT_ONCE);
  const waiting = async () => (await Promise.all(ids.map((id) => home.read(id)))).map(shown);
  await poll(waiting, PATIENCE).toEqual(ids.map(() => ['RUNNING', expect.stringMatching(/^(QUEUED|RUNNING)$/)]));

  const quick = { nodes: [action('a', 'testing.succeed', { output: 1 })] };
  for (let round = 0; round < 3; round += 1) expect((await neighbour.run(quick)).status).toBe('COMPLETED');
  expect(slow.inside()).toBe(MAX_AT_ONCE);

  await stack.killMain();
  await stack.startAgain();
  await poll(slow.inside, PATIENCE).toBe(MAX_AT_ONCE);
  expect((await neighbour.run(quick)).status).toBe('COMPLETED');

  slow.open();
  for (const id of ids) expect((await home.ended(id)).status).toBe('COMPLETED');
  expect(slow.answered.size).toBe(ITEMS + STARTS);
  expect(new Set(slow.answered.values())).toEqual(new Set([1]));
});

test('an action that waits for a place is cancelled at once', async () => {
  const slow = await slowServer();
  const single = await home.deploy({ nodes: [action('call', 'http.request', { method: 'POST', url: slow.url })] });
  const ids = await Promise.all(Array.from({ length: MAX_AT_ONCE + 3 }, () => home.execute(single)));
  await poll(slow.inside, PATIENCE).toBe(MAX_AT_ONCE);
  await Promise.all(ids.map((id) => home.api('POST', `/api/executions/${id}/cancel`)));
  for (const id of ids) expect((await home.ended(id)).status).toBe('CANCELLED');
  await poll(slow.inside, PATIENCE).toBe(0);
  expect(slow.answered.size).toBe(0);
  slow.open();
  expect((await home.run({ nodes: [action('call', 'http.request', { method: 'POST', url: slow.url })] })).status).toBe(
    'COMPLETED',
  );
});
