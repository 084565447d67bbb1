// test: long
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { derivedId } from '../../domain/derivedId.ts';
import { api } from '../setup/api/client.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { action, chain, control, question, webhook } from '../setup/workspace/graph.ts';

const { home } = await ownHome({ environment: { SYNC_RUN_TIMEOUT_MS: '2000' } });
const open = api(home.url);
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/;

const paid = action('pay', 'core.set', { values: { paid: true } });
const graph = { trigger: webhook(), nodes: [question('approval'), paid], edges: chain('approval', 'pay') };
const pathOf = (workflowId: string) => `/api/webhooks/workflows/${workflowId}`;

function shownOf({ headers, body }: Awaited<ReturnType<typeof open>>): string {
  const { requestId, ...rest } = body ?? {};
  const others = [...headers].filter(([name]) => name !== 'x-request-id');
  return JSON.stringify([others, rest]);
}

test('an anonymous caller does not approve their own request: nothing tells the id of the execution', async () => {
  const path = pathOf(await home.deploy(graph));
  const headers = { 'idempotency-key': randomUUID() };
  const answer = await open('POST', path, { body: { amount: 1_000_000 }, headers });
  expect(answer).toMatchObject({ status: 200, body: undefined });
  expect(shownOf(answer)).not.toMatch(ID);
  // A member receives the id, also for a replay; a stranger never does, even if a member was first.
  const member = await home.api('POST', path, { body: { amount: 1_000_000 }, headers });
  const executionId = String(member.headers.get('x-execution-id'));
  expect(executionId).toMatch(ID);
  expect(member.headers.get('idempotency-replayed')).toBe('true');
  const replay = await open('POST', path, { body: { amount: 1_000_000 }, headers });
  expect(replay.headers.get('idempotency-replayed')).toBe('true');
  expect(shownOf(replay)).not.toMatch(ID);
  const others = ['Basic abc', `Bearer pdr_${'x'.repeat(40)}`, 'Bearer a.b.c'];
  for (const authorization of others) {
    expect(shownOf(await open('POST', path, { body: {}, headers: { authorization } }))).not.toMatch(ID);
  }
  await home.asked(executionId, 'approval');
  expect((await home.submit(executionId, 'approval', { answer: 'yes' })).status).toBe(200);
  expect((await home.ended(executionId)).output).toEqual({ paid: true });
});

test('neither late answers, failures nor duplicates tell it', async () => {
  const trigger = webhook({ respond: 'whenFinished', duplicates: { key: '{{ trigger.body.k }}', forMs: 60_000 } });
  const asks = pathOf(await home.deploy({ ...graph, trigger }));
  const loop = control('loop', 'forEach', { items: '{{ trigger.body.items }}' });
  const bad = action('bad', 'testing.fail', { message: 'no' });
  const nodes = [loop, question('ask', {}, { parentId: 'loop' }), bad];
  const fails = pathOf(
    await home.deploy({ trigger: webhook({ respond: 'whenFinished' }), nodes, edges: chain('loop', 'bad') }),
  );

  const late = await open('POST', asks, { body: { k: 'a' }, headers: { 'idempotency-key': 'late' } });
  expect(late).toMatchObject({ status: 202, body: { status: 'NEEDS_INPUT' } });
  const duplicate = await open('POST', asks, { body: { k: 'a' } });
  expect(duplicate.status).toBe(202);
  const again = await open('POST', asks, { body: { k: 'a' }, headers: { 'idempotency-key': 'late' } });
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  const failed = await open('POST', fails, { body: { items: [] } });
  expect(failed).toMatchObject({ status: 500, body: { code: 'EXECUTION_FAILED' } });
  for (const answer of [late, duplicate, again, failed]) expect(shownOf(answer)).not.toMatch(ID);

  const known = await home.api('POST', asks, { body: { k: 'a' } });
  expect(known).toMatchObject({ status: 202, body: { executionId: known.headers.get('x-execution-id') } });
  const failure = await home.api('POST', fails, { body: { items: [] } });
  expect(failure).toMatchObject({ status: 500, body: { executionId: expect.stringMatching(ID) } });
});

test('where no question is for anyone, everybody gets it, and it is of no use', async () => {
  for (const submitters of ['members', 'link', ['owner']]) {
    const nodes = [question('approval', { submitters }), paid];
    const answer = await open('POST', pathOf(await home.deploy({ ...graph, nodes })), { body: {} });
    const executionId = String(answer.headers.get('x-execution-id'));
    await home.asked(executionId, 'approval');
    const { status } = await home.submit(executionId, 'approval', { answer: 'yes' });
    expect([submitters, status]).toEqual([submitters, submitters === 'link' ? 404 : 401]);
  }
  const dynamic = [question('approval', { submitters: '{{ trigger.body.who }}' })];
  const answer = await open('POST', pathOf(await home.deploy({ trigger: webhook(), nodes: dynamic })), { body: {} });
  expect(answer.headers.get('x-execution-id')).toBeNull();
});

test('the credential never enters the execution', async () => {
  const nodes = [action('all', 'core.transform', { value: '{{ trigger }}' }), question('ask')];
  const answer = await home.api('POST', pathOf(await home.deploy({ trigger: webhook(), nodes })), {
    body: { a: 1 },
    headers: { 'x-api-key': home.apiKey },
  });
  const execution = await home.asked(String(answer.headers.get('x-execution-id')), 'ask');
  expect(JSON.stringify(execution)).toContain('"a":1');
  expect(JSON.stringify(execution)).not.toContain(home.apiKey);
});

test("nobody works out the id of a sub-workflow's execution from that of the one around it", async () => {
  const workflowId = await home.deploy({ nodes: [question('ask')] });
  const sub = control('sub', 'runWorkflow', { workflowId });
  const answer = await open('POST', pathOf(await home.deploy({ trigger: webhook(), nodes: [sub] })), { body: {} });
  const parent = String(answer.headers.get('x-execution-id'));
  await home.until(parent, ({ executionPath }) => executionPath?.[0]?.input?.executionId !== undefined);
  const [{ id }] = (await home.read(parent, 'childExecutions')).childExecutions;
  await home.asked(id, 'ask');
  const guessed = derivedId(parent, 'run sub ');
  expect(guessed.slice(0, 13)).toBe(id.slice(0, 13));
  expect((await home.submit(guessed, 'ask', { answer: 'x' })).status).toBe(404);
  expect((await home.submit(id, 'ask', { answer: 'x' })).status).toBe(200);
});
