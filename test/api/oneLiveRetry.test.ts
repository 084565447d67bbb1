import { expect, test } from '@jest/globals';
import { action, chain, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

const retry = (home: Home, executionId: string, body: object = {}, headers: Record<string, string> = {}) =>
  home.api('POST', `/api/executions/${executionId}/retry`, { body, headers });

/** An execution that failed, and whose retry asks a question. */
async function failed(home: Home) {
  const ready = { body: { name: 'ready', value: false } };
  const { body: variable } = await home.api('POST', '/api/variables', ready);
  const workflowId = await home.deploy({
    nodes: [action('check', 'core.assert', { condition: '{{ variables.ready }}' }), question('ask')],
    edges: chain('check', 'ask'),
  });
  const { id } = await home.ended(await home.execute(workflowId));
  await home.api('PATCH', `/api/variables/${variable.id}`, { body: { value: true } });
  return { id: id as string, workflowId };
}

test('of two retries at once one is accepted; another one waits for its end, and then needs again', async () => {
  const home = await makeHome();
  const { id, workflowId } = await failed(home);
  const answers = await Promise.all([1, 2, 3, 4].map(() => retry(home, id)));
  const accepted = answers.filter(({ status }) => status === 201);
  expect(accepted).toHaveLength(1);
  const retryId = accepted[0]?.body.executionId;
  for (const { status, body } of answers.filter((each) => each.status !== 201)) {
    expect([status, body]).toMatchObject([409, { code: 'ALREADY_RETRIED', retryId }]);
  }
  // Before the checks of fromStep and input, and also with again: the retry is open.
  for (const body of [{ fromStep: 'nowhere' }, { again: true }]) {
    expect(await retry(home, id, body)).toMatchObject({ status: 409, body: { code: 'ALREADY_RETRIED', retryId } });
  }
  const filterBy = `workflowId:${workflowId}`;
  const many = (more: object) => home.api('POST', '/api/executions/bulk/retry', { body: { ...more } });
  const skipped = { matched: 1, accepted: 0, failed: [], skipped: 1, remaining: 0 };
  expect((await many({ filterBy })).body).toEqual(skipped);
  expect((await many({ executionIds: [id] })).body).toEqual(skipped);
  expect((await many({ filterBy, dryRun: true })).body).toEqual({ count: 0 });

  const listed = async (more: string) =>
    (await home.api('GET', `/api/executions?filterBy=${filterBy},${more}`)).body.map((each: { id: string }) => each.id);
  expect(await listed('retried:true')).toEqual([id]);
  expect(await listed('retried:false')).toEqual([retryId]);
  const { executionNumber } = await home.read(retryId, 'executionNumber');
  expect((await home.read(id, 'retriedBy')).retriedBy).toEqual({
    ...{ id: retryId, number: executionNumber, status: 'NEEDS_INPUT' },
  });
  expect((await home.read(retryId, 'retriedBy')).retriedBy).toBeNull();

  await home.asked(retryId, 'ask');
  await home.submit(retryId, 'ask', { answer: 'yes' });
  await home.ended(retryId);
  expect(await retry(home, id)).toMatchObject({ status: 409, body: { code: 'ALREADY_RETRIED', retryId } });
  // A chain is free.
  expect((await retry(home, retryId)).status).toBe(201);
  const again = await Promise.all([1, 2].map(() => retry(home, id, { again: true })));
  expect(again.map(({ status }) => status).sort()).toEqual([201, 409]);
});

test('a retry that failed or was cancelled excludes no other, and the same request again is the same retry', async () => {
  const home = await makeHome();
  const { id } = await failed(home);
  const first = await retry(home, id, {}, { 'idempotency-key': 'one' });
  const retryId = first.body.executionId;
  await home.asked(retryId, 'ask');
  const repeated = await retry(home, id, {}, { 'idempotency-key': 'one' });
  expect([repeated.status, repeated.body]).toEqual([201, { executionId: retryId }]);
  await home.api('POST', `/api/executions/${retryId}/cancel`, { body: {} });
  await home.ended(retryId);
  expect((await home.read(id, 'retriedBy')).retriedBy).toMatchObject({ id: retryId, status: 'CANCELLED' });
  const { body } = await home.api('GET', '/api/executions?filterBy=retried:false');
  expect(body.map((each: { id: string }) => each.id)).toContain(id);
  expect((await retry(home, id)).status).toBe(201);
});
