import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { deleteExpired } from '../../prisma/store/deleteExpired.ts';
import { api } from '../setup/api/client.ts';
import { poll } from '../setup/jest/poll.ts';
import { action, chain, question, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const DAY = 86_400_000;
const number = action('number', 'core.transform', { value: '{{ execution.number }}' });
const duplicates = { key: '{{ trigger.body.id }}', forMs: DAY };

async function hooked(graph: Parameters<Home['deploy']>[0]) {
  const home = await makeHome();
  const workflowId = await home.deploy(graph);
  const path = `/api/webhooks/workflows/${workflowId}`;
  const send = (body: object, headers: Record<string, string> = {}) => home.api('POST', path, { body, headers });
  const started = async () => (await home.api('GET', '/api/executions')).body.length;
  return { home, workflowId, send, started };
}

const idOf = ({ headers }: { headers: Headers }) => headers.get('x-execution-id');

test.each(['immediately', 'whenFinished'])('of twenty with one key at once one starts (%s)', async (respond) => {
  const { send, started } = await hooked({ trigger: webhook({ respond, duplicates }), nodes: [number] });
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => send({ id: 'a', try: index })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(idOf)).size).toBe(1);
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  expect(await started()).toBe(1);
  const later = await send({ id: 'a' });
  expect([later.status, later.body, idOf(later)]).toEqual([200, answers[0]?.body, idOf(answers[0] as typeof later)]);
  const other = await send({ id: 'b' });
  expect(idOf(other)).not.toBe(idOf(later));
  expect(await started()).toBe(2);
});

test('whenFinished: a duplicate waits for the first one, and gets the same failure', async () => {
  const { home, send, started } = await hooked({
    trigger: webhook({ respond: 'whenFinished', duplicates }),
    nodes: [question('ask'), action('bad', 'testing.fail', { message: 'No stock' }, { name: 'Reserve' })],
    edges: chain('ask', 'bad'),
  });
  const first = send({ id: 'a' });
  const execution = await poll(async () => (await home.api('GET', '/api/executions')).body[0]?.id, { timeout: 30_000 })
    .toBeTruthy()
    .then(async () => (await home.api('GET', '/api/executions')).body[0].id);
  await home.asked(execution, 'ask');
  const second = send({ id: 'a' });
  await home.submit(execution, 'ask', { answer: 'x' });
  for (const answer of [await first, await second, await send({ id: 'a' })]) {
    expect(answer).toMatchObject({
      status: 500,
      body: { code: 'EXECUTION_FAILED', detail: 'Reserve: No stock', executionId: execution },
    });
  }
  expect(await started()).toBe(1);
});

test('after its time a key starts an execution again, and its row is swept', async () => {
  const { home, workflowId, send, started } = await hooked({ trigger: webhook({ duplicates }), nodes: [number] });
  const rows = () =>
    stackDatabase().$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM webhook_deliveries WHERE workspace_id = ${home.workspaceId}::uuid`;
  const first = await send({ id: 'a' });
  const expire = () =>
    stackDatabase().$executeRaw`
      UPDATE webhook_deliveries SET expires_at = now() - interval '1 second' WHERE workflow_id = ${workflowId}::uuid`;
  await expire();
  const second = await send({ id: 'a' });
  expect(idOf(second)).not.toBe(idOf(first));
  expect(idOf(await send({ id: 'a' }))).toBe(idOf(second));
  expect(await started()).toBe(2);
  expect(await rows()).toEqual([{ count: 1 }]);
  await expire();
  // The reconciler may do it first.
  await deleteExpired(stackDatabase(), 'webhook_deliveries', 1_000);
  await poll(rows, { timeout: 30_000 }).toEqual([{ count: 0 }]);
});

test('a claim whose process died before its start is started by the next delivery', async () => {
  const { home, workflowId, send, started } = await hooked({ trigger: webhook({ duplicates }), nodes: [number] });
  const first = await send({ id: 'a' });
  const lost = randomUUID();
  await stackDatabase().$executeRaw`
    UPDATE webhook_deliveries SET execution_id = ${lost}::uuid WHERE workflow_id = ${workflowId}::uuid`;
  expect(idOf(await send({ id: 'a' }))).toBe(lost);
  expect(idOf(await send({ id: 'a' }))).toBe(lost);
  expect(await home.ended(lost)).toMatchObject({ status: 'COMPLETED' });
  expect(idOf(first)).not.toBe(lost);
  expect(await started()).toBe(2);
});

test('keys belong to a workflow, and together with an Idempotency-Key both apply', async () => {
  const one = await hooked({ trigger: webhook({ duplicates }), nodes: [number] });
  const other = await one.home.deploy({ trigger: webhook({ duplicates }), nodes: [number] });
  const first = await one.send({ id: 'a' }, { 'idempotency-key': 'k1' });
  const open = api(one.home.url);
  const elsewhere = await open('POST', `/api/webhooks/workflows/${other}`, { body: { id: 'a' } });
  expect(idOf(elsewhere)).not.toBe(idOf(first));
  expect(idOf(await one.send({ id: 'a' }, { 'idempotency-key': 'k2' }))).toBe(idOf(first));
  expect(idOf(await one.send({ id: 'a' }, { 'idempotency-key': 'k1' }))).toBe(idOf(first));
  expect(await one.started()).toBe(2);
});

test('a request without a key is refused, and starts nothing', async () => {
  const { send, started } = await hooked({ trigger: webhook({ duplicates }), nodes: [number] });
  for (const body of [{}, { id: null }, { id: { a: 1 } }, { id: '' }]) {
    expect(await send(body)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ path: 'trigger.config.duplicates.key' }] },
    });
  }
  expect(await started()).toBe(0);
});
