// test: long
import { expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { action, chain, control, question } from '../setup/workspace/graph.ts';

const { stack, home } = await ownHome();

const PATIENCE = { timeout: 60_000, interval: 100 };
const LIMIT = 3;
const STARTS = 8;
/** Kills everything while the question of the third execution is open, and just after the end of the sixth. */
const KILLED_BEFORE = 2;
const KILLED_AFTER = 5;

test('kill -9 of everything while some run and many are held: all run, in order, none twice, within the limit', async () => {
  const inside = new Set<number>();
  const entered: number[] = [];
  const keys = new Set<string>();
  let most = 0;
  const { url } = await loopback((call, response) => {
    const number = Number(new URL(call.url, 'http://a').searchParams.get('n'));
    keys.add(String(call.headers['idempotency-key']));
    if (call.url.startsWith('/enter')) {
      // A call whose response was lost with its worker is repeated with its key.
      if (!entered.includes(number)) entered.push(number);
      inside.add(number);
      most = Math.max(most, inside.size);
    } else inside.delete(number);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const step = (id: string) =>
    action(id, 'http.request', { method: 'POST', url: `${url}/${id}?n={{ execution.number }}` });
  const workflowId = await home.deploy({
    nodes: [step('enter'), question('ask'), step('leave')],
    edges: chain('enter', 'ask', 'leave'),
    maxConcurrent: LIMIT,
  });
  const ids: string[] = [];
  for (let count = 0; count < STARTS; count++) ids.push(await home.execute(workflowId));
  const parent = await home.execute(await home.deploy({ nodes: [control('call', 'runWorkflow', { workflowId })] }));
  await home.until(parent, ({ executionPath }) => executionPath[0]?.input?.executionId !== undefined);
  ids.push((await home.read(parent, 'childExecutions')).childExecutions[0].id);
  const numbers: number[] = [];
  for (const id of ids) numbers.push((await home.read(id, 'executionNumber')).executionNumber);
  const heldNow = async () => (await home.api('GET', '/api/executions?filterBy=held:true')).body.length;
  expect(await heldNow()).toBe(ids.length - LIMIT);

  for (const [index, id] of ids.entries()) {
    await home.asked(id, 'ask');
    if (index === KILLED_BEFORE) {
      await stack.killMain();
      await stack.startAgain();
      expect(await heldNow()).toBe(ids.length - LIMIT - index);
    }
    expect((await home.submit(id, 'ask', { answer: 'x' })).status).toBe(200);
    const { status, executionPath } = await home.ended(id);
    if (index === KILLED_AFTER) {
      await stack.killMain();
      await stack.startAgain();
    }
    await poll(() => entered.length, PATIENCE).toBe(Math.min(LIMIT + index + 1, ids.length));
    expect([status, executionPath.length]).toEqual(['COMPLETED', 3]);
  }
  expect((await home.ended(parent)).status).toBe('COMPLETED');
  expect([most, inside.size, keys.size]).toEqual([LIMIT, 0, 2 * ids.length]);
  expect(entered.slice(0, LIMIT).toSorted((a, b) => a - b)).toEqual(numbers.slice(0, LIMIT));
  expect(entered.slice(LIMIT)).toEqual(numbers.slice(LIMIT));
});
