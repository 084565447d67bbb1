import { expect, test } from '@jest/globals';
import { loopback, type SeenCall } from '../setup/providers/loopback.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { action, chain, type Graph, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

const asks: Graph = { nodes: [question('ask')] };
const read = (home: Home, executionId: string) => home.read(executionId, 'held');

/** Counts executions inside; the server lets them leave in groups of `together`. */
async function turnstile(together: number) {
  const inside = new Set<string>();
  const entered: number[] = [];
  let most = 0;
  let waiting: (() => void)[] = [];
  const numberOf = ({ url }: SeenCall) => new URL(url, 'http://a').searchParams.get('n') ?? '';
  const { url } = await loopback((call, response) => {
    const number = numberOf(call);
    const answer = () => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    if (call.url.startsWith('/leave')) {
      inside.delete(number);
      answer();
      return;
    }
    entered.push(Number(number));
    inside.add(number);
    most = Math.max(most, inside.size);
    waiting.push(answer);
    if (waiting.length < together) return;
    for (const each of waiting) each();
    waiting = [];
  });
  const step = (id: string) =>
    action(id, 'http.request', { method: 'GET', url: `${url}/${id}?n={{ execution.number }}` });
  const graph: Graph = { nodes: [step('enter'), step('leave')], edges: chain('enter', 'leave') };
  return { graph, entered, inside, most: () => most };
}

test('twenty starts at a limit of two: two at once, never more, in the order of their numbers', async () => {
  const home = await makeHome();
  const { graph, entered, inside, most } = await turnstile(2);
  const workflowId = await home.deploy({ ...graph, maxConcurrent: 2 });
  const ids = await Promise.all(Array.from({ length: 20 }, () => home.execute(workflowId)));
  const ended = await Promise.all(ids.map((id) => home.ended(id)));
  expect(ended.map(({ status }) => status)).toEqual(ids.map(() => 'COMPLETED'));
  expect([most(), inside.size, entered.length]).toEqual([2, 0, 20]);
  // The order within a pair varies, but none overtakes the previous pair.
  const pairs = Array.from({ length: 10 }, (_, pair) => entered.slice(pair * 2, pair * 2 + 2).sort((a, b) => a - b));
  expect(pairs.flat()).toEqual(entered.toSorted((a, b) => a - b));
});

test('a limit of one releases held executions in order, also those that a pause held', async () => {
  const home = await makeHome();
  const { graph, entered, most } = await turnstile(1);
  const workflowId = await home.deploy({ slug: 'one', ...graph, maxConcurrent: 1 });
  await home.api('POST', `/api/workflows/${workflowId}/pause`);
  const ids: string[] = [];
  for (let count = 0; count < 6; count++) ids.push(await home.execute(workflowId));
  await home.api('POST', `/api/workflows/${workflowId}/resume`);
  for (const id of ids) await home.ended(id);
  expect(entered).toEqual(entered.toSorted((a, b) => a - b));
  expect([most(), entered.length]).toEqual([1, 6]);
});

test('a limit is shown, raised, lowered and removed; running executions count', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({ slug: 'w', ...asks });
  const early = [await home.execute(workflowId), await home.execute(workflowId)];
  for (const id of early) await home.asked(id, 'ask');
  await home.deploy({ slug: 'w', ...asks, maxConcurrent: 2 });
  const [third = '', fourth = '', fifth = ''] = [
    await home.execute(workflowId),
    await home.execute(workflowId),
    await home.execute(workflowId),
  ];
  expect(await read(home, third)).toMatchObject({ held: true, statusMessage: 'Held: 2 of 2 executions run' });
  await home.deploy({ slug: 'w', ...asks, maxConcurrent: 3 });
  await home.asked(third, 'ask');
  expect(await read(home, third)).toMatchObject({ held: false, statusMessage: null });
  expect(await read(home, fourth)).toMatchObject({ held: true, statusMessage: 'Held: 3 of 3 executions run' });
  await home.deploy({ slug: 'w', ...asks, maxConcurrent: 1 });
  // Neither an execution from before the limit nor a released one makes room while two run.
  await home.submit(third, 'ask', { answer: 'x' });
  await home.ended(third);
  expect(await read(home, fourth)).toMatchObject({ held: true, statusMessage: 'Held: 2 of 1 executions run' });
  await home.deploy({ slug: 'w', ...asks, maxConcurrent: null });
  await home.asked(fourth, 'ask');
  await home.asked(fifth, 'ask');
});

test('the end of an execution that began before there was a limit makes room as well', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({ slug: 'w', ...asks });
  const early = await home.execute(workflowId);
  await home.asked(early, 'ask');
  await home.deploy({ slug: 'w', ...asks, maxConcurrent: 1 });
  const next = await home.execute(workflowId);
  expect(await read(home, next)).toMatchObject({ held: true });
  await home.submit(early, 'ask', { answer: 'x' });
  await home.asked(next, 'ask');
});

test('bulk cancel ends held executions; every end of a running one releases the next', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({ ...asks, maxConcurrent: 1 });
  const ids: string[] = [];
  for (let count = 0; count < 4; count++) ids.push(await home.execute(workflowId));
  const [first = '', second = '', third = '', fourth = ''] = ids;
  await home.asked(first, 'ask');
  expect((await home.api('POST', `/api/executions/${first}/terminate`)).body.status).toBe('CANCELLED');
  await home.asked(second, 'ask');
  expect((await home.api('POST', `/api/executions/${second}/cancel`)).body.status).toBe('CANCELLED');
  await home.asked(third, 'ask');
  const bulk = { filterBy: `held:true,workflowId:${workflowId}` };
  const answer = await home.api('POST', '/api/executions/bulk/cancel', { body: bulk });
  expect(answer.body).toMatchObject({ matched: 1, accepted: 1, failed: [] });
  expect((await home.ended(fourth)).status).toBe('CANCELLED');
  await (await stackTemporal()).workflow.getHandle(third).terminate();
  const fifth = await home.execute(workflowId);
  await home.asked(fifth, 'ask');
});

test('the limit is a setting of the workflow: a whole number up to 1000, or null; it makes no version', async () => {
  const home = await makeHome();
  const graph = { slug: 'w', ...asks };
  const id = await home.deploy({ ...graph, maxConcurrent: 1_000 });
  const limit = async () => (await home.api('GET', `/api/workflows/${id}?expansion=maxConcurrent,version`)).body;
  expect(await limit()).toMatchObject({ maxConcurrent: 1_000, version: 1 });
  await home.deploy(graph);
  expect(await limit()).toMatchObject({ maxConcurrent: 1_000, version: 1 });
  for (const maxConcurrent of [0, -1, 1.5, 1_001, '5']) {
    const body = { ...graph, maxConcurrent };
    const answer = await home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(answer.body.errors[0].path).toContain('maxConcurrent');
  }
  await home.deploy({ ...graph, maxConcurrent: null });
  expect(await limit()).toMatchObject({ maxConcurrent: null, version: 1 });
});
