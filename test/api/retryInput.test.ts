import { describe, expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { MAX_COMPARED_STEPS } from '../setup/stack/runStack.ts';
import { action, chain, control, edges, manual, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome, stepOf } from '../setup/workspace/home.ts';

describe('input of a retry', () => {
  const number = (key: string) => ({ key, label: key, type: 'number' });
  const pay = action('pay', 'testing.succeed', { output: '{{ trigger.amount }}' });

  const retry = (home: Home, executionId: string, body: object) =>
    home.api('POST', `/api/executions/${executionId}/retry`, { body });

  function expectRefused({ status, body }: { status: number; body: { code?: string } }, ...nodeIds: string[]): void {
    const errors = nodeIds.map((id) => ({
      path: `steps.${id}`,
      message: expect.stringContaining('must begin at this step or earlier'),
      nodeId: id,
    }));
    expect([status, body]).toMatchObject([400, { code: 'RETRY_NOT_ALLOWED', errors }]);
  }

  async function childOf(home: Home, executionId: string): Promise<string> {
    const first = async () => (await home.read(executionId, 'childExecutions')).childExecutions?.[0]?.id;
    await poll(first).toBeDefined();
    return first();
  }

  test('an approval is not reused for another input, also with a key that may only run; with an equal one it is', async () => {
    const home = await makeHome();
    const workflowId = await home.deploy({
      trigger: manual(number('amount')),
      nodes: [question('approval'), pay],
      edges: chain('approval', 'pay'),
    });
    const first = await home.execute(workflowId, { amount: 10 });
    await home.asked(first, 'approval');
    await home.submit(first, 'approval', { answer: 'yes' });
    expect((await home.ended(first)).output).toBe(10);
    const key = await home.api('POST', '/api/api-keys', { body: { name: 'shop', permissions: ['executions:run'] } });
    const attack = { fromStep: 'pay', input: { amount: 1_000_000 } };
    expectRefused(await retry(home, first, attack), 'approval');
    const response = await fetch(`${home.url}/api/executions/${first}/retry`, {
      method: 'POST',
      headers: { 'x-api-key': key.body.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(attack),
    });
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'RETRY_NOT_ALLOWED' }]);
    const equal = await retry(home, first, { fromStep: 'pay', input: { amount: 10 } });
    expect(equal.status).toBe(201);
    const second = await home.ended(equal.body.executionId);
    expect(stepOf(second, 'approval')).toMatchObject({ reused: true, reusedFrom: { executionId: first } });
    const third = await retry(home, second.id, { fromStep: 'pay' });
    const chained = await home.ended(third.body.executionId);
    expect(stepOf(chained, 'approval').reusedFrom).toEqual({ executionId: first });
    expect(stepOf(chained, 'pay').reusedFrom).toBeUndefined();
  });

  test('a condition is evaluated again; a step is reused if its resolved inputs are equal under the new input', async () => {
    const home = await makeHome();
    const workflowId = await home.deploy({
      trigger: manual(number('amount'), number('shop')),
      nodes: [
        action('shop', 'testing.succeed', { output: '{{ trigger.shop }}' }),
        control('small', 'condition', { condition: '{{ trigger.amount < 100.0 }}' }),
        pay,
        action('beside', 'testing.succeed', { output: '{{ trigger.amount }}' }),
      ],
      edges: edges('shop>small', 'small:true>pay', 'shop>beside'),
    });
    const first = await home.execute(workflowId, { amount: 1, shop: 1 });
    await home.ended(first);
    const from = (amount: number, shop: number) => retry(home, first, { fromStep: 'pay', input: { amount, shop } });
    expectRefused(await from(1_000_000, 1), 'small');
    expectRefused(await from(1_000_000, 2), 'shop', 'small');
    const allowed = await from(20, 1);
    expect(allowed.status).toBe(201);
    const second = await home.ended(allowed.body.executionId);
    expect(stepOf(second, 'pay')).toMatchObject({ output: 20 });
    expect(stepOf(second, 'small')).toMatchObject({ reused: true });
    // `beside` is not before fromStep: it runs again, and excludes nothing.
    expect(stepOf(second, 'beside')).toMatchObject({ output: 20 });
    expect(stepOf(second, 'beside').reused).toBeUndefined();
  });

  test('inside loops the inner step is named, in those that are kept and in the one in which the retry begins', async () => {
    const home = await makeHome();
    const inside = { parentId: 'loop' };
    const workflowId = await home.deploy({
      trigger: manual(number('amount'), number('rate')),
      nodes: [
        control('loop', 'forEach', { items: [1, 2] }),
        action('price', 'testing.succeed', { output: '{{ loop.item * trigger.rate }}' }, inside),
        action('note', 'testing.succeed', { output: '{{ trigger.amount }}' }, inside),
        pay,
      ],
      edges: edges('price>note', 'loop>pay'),
    });
    const first = await home.execute(workflowId, { amount: 1, rate: 2 });
    await home.ended(first);
    const from = (fromStep: string, amount: number, rate: number) =>
      retry(home, first, { fromStep, input: { amount, rate } });
    expectRefused(await from('pay', 5, 2), 'note');
    expectRefused(await from('pay', 1, 3), 'price');
    expectRefused(await from('note', 1, 3), 'price');
    const allowed = await from('note', 5, 2);
    expect(allowed.status).toBe(201);
    expect((await home.ended(allowed.body.executionId)).status).toBe('COMPLETED');
  });

  test('steps beyond the setting are not compared: they count as steps that cannot be reused', async () => {
    const home = await makeHome();
    const most = Number(MAX_COMPARED_STEPS);
    const workflowId = await home.deploy({
      trigger: manual(number('amount'), number('count')),
      nodes: [
        control('loop', 'repeat', { times: '{{ trigger.count }}' }),
        action('same', 'core.transform', { value: '{{ trigger.amount > 0 }}' }, { parentId: 'loop' }),
        pay,
      ],
      edges: edges('loop>pay'),
    });
    for (const count of [most - 1, most]) {
      const first = await home.execute(workflowId, { amount: 1, count });
      await home.ended(first);
      const answer = await retry(home, first, { fromStep: 'pay', input: { amount: 2, count } });
      if (count < most) expect(answer.status).toBe(201);
      else {
        expectRefused(answer, 'loop', 'same');
        expect(answer.body.errors[0].message).toContain('(MAX_COMPARED_STEPS)');
      }
    }
  });

  test('a runWorkflow whose execution holds an answer counts as an answer; one without is reused', async () => {
    const home = await makeHome();
    const asking = await home.deploy({ nodes: [question('ask')] });
    const plain = await home.deploy({ nodes: [action('a', 'testing.succeed', { output: 1 })] });
    const parent = (workflowId: string) =>
      home.deploy({
        trigger: manual(number('amount')),
        nodes: [control('sub', 'runWorkflow', { workflowId }), pay],
        edges: chain('sub', 'pay'),
      });
    const first = await home.execute(await parent(asking), { amount: 1 });
    const child = await childOf(home, first);
    await home.asked(child, 'ask');
    await home.submit(child, 'ask', { answer: 'yes' });
    await home.ended(first);
    const attack = { fromStep: 'pay', input: { amount: 9 } };
    expectRefused(await retry(home, first, attack), 'sub');
    const other = await home.execute(await parent(plain), { amount: 1 });
    await home.ended(other);
    expect((await retry(home, other, attack)).status).toBe(201);
  });

  test('a failed runWorkflow asks again under another input, although the input of its workflow is equal', async () => {
    const home = await makeHome();
    const asking = await home.deploy({
      nodes: [question('ask'), action('fails', 'testing.fail', { retryable: false })],
      edges: chain('ask', 'fails'),
    });
    const workflowId = await home.deploy({
      trigger: manual(number('amount')),
      nodes: [control('sub', 'runWorkflow', { workflowId: asking }), pay],
      edges: chain('sub', 'pay'),
    });
    const first = await home.execute(workflowId, { amount: 1 });
    const child = await childOf(home, first);
    await home.asked(child, 'ask');
    await home.submit(child, 'ask', { answer: 'yes' });
    expect((await home.ended(first)).status).toBe('FAILED');

    const equal = await retry(home, first, { fromStep: 'sub', input: { amount: 1 } });
    expect((await home.ended(equal.body.executionId)).status).toBe('FAILED');
    const other = await retry(home, first, { fromStep: 'sub', input: { amount: 9 } });
    await home.asked(await childOf(home, other.body.executionId), 'ask');
  });
});

describe('one live retry', () => {
  const retry = (home: Home, executionId: string, body: object = {}, headers: Record<string, string> = {}) =>
    home.api('POST', `/api/executions/${executionId}/retry`, { body, headers });

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
    // This error precedes the checks of fromStep and input, and occurs with `again` too: the retry is open.
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
      (await home.api('GET', `/api/executions?filterBy=${filterBy},${more}`)).body.map(
        (each: { id: string }) => each.id,
      );
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
    // A retry may itself be retried.
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
});
