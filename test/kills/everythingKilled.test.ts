// test: long, pglite
import { expect, test } from '@jest/globals';
import { submitAnswer } from '../../prisma/store/execution/pendingInput.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { sharedKill } from '../setup/stack/sharedKill.ts';
import { action, chain, control, edges, question } from '../setup/workspace/graph.ts';
import { type Home, statuses, stepOf } from '../setup/workspace/home.ts';

// Small, so that reusing a loop needs many batches.
const { stack, home, database } = await ownHome({ environment: { RETRY_BATCH_ITERATIONS: '8' } });
const testOfKill = sharedKill(stack);

const before = action('before', 'testing.succeed', { output: 'before' });
const after = action('after', 'core.set', { values: { done: true } });

async function started(nodes: Parameters<Home['deploy']>[0]['nodes'], ...ids: string[]): Promise<string> {
  return home.execute(await home.deploy({ nodes, edges: chain(...ids) }));
}

testOfKill(
  'kill -9 of everything: executions continue, and no step is written twice',
  async ({ othersStand, kill }) => {
    await othersStand();
    // The first call of each path gets no response, because the worker is killed meanwhile.
    const server = await loopback(({ url }, response) => {
      const calls = server.calls.filter((call) => call.url === url).length;
      if (url === '/held' && calls === 1) return;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ calls }));
    });
    const call = action('call', 'http.request', { method: 'POST', url: `${server.url}/held` });
    const inAction = await started([before, call, after], 'before', 'call', 'after');
    const retry = { maximumAttempts: 3, initialIntervalMs: 6_000 };
    const flaky = action('flaky', 'testing.fail', { times: 1 }, { retry });
    const inQuestion = await started([before, question('ask'), after], 'before', 'ask', 'after');
    const inParallel = await home.execute(
      await home.deploy({
        nodes: [before, question('ask'), action('wait', 'testing.wait', { ms: 3_000 }), after],
        edges: edges('before>ask', 'before>wait', 'ask>after', 'wait>after'),
      }),
    );
    await poll(() => server.calls.length).toBe(1);
    await home.asked(inQuestion, 'ask');
    await home.asked(inParallel, 'ask');
    // Followed from the start, because these states are short.
    const inRetry = await started([before, flaky, after], 'before', 'flaky', 'after');
    const isRetrying = home.until(inRetry, (now) => now.executionPath && statuses(now).flaky === 'RETRYING');
    const expiring = await started([question('ask', { expiresInMs: 5_000 })], 'ask');
    await Promise.all([isRetrying, home.asked(expiring, 'ask')]);
    const seen = await home.read(inAction);
    const [askedAt] = (await home.read(inQuestion)).pendingInput;
    const linked = await started([question('ask', { submitters: 'link' }), after], 'ask', 'after');
    const { link } = (await home.asked(linked, 'ask')).pendingInput[0];
    expect(statuses(seen)).toEqual({ before: 'COMPLETED', call: 'RUNNING' });

    await kill();

    const pathOf = (address: string) => new URL(address).href.slice(new URL(address).origin.length);
    const samePath = expect.stringContaining(pathOf(askedAt.link));
    expect((await home.read(inQuestion)).pendingInput).toEqual([{ ...askedAt, link: samePath }]);
    expect(pathOf((await home.read(linked)).pendingInput[0].link)).toBe(pathOf(link));
    const byLink = await fetch(new URL(pathOf(link), home.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ answer: 'by the link of before' }),
    });
    expect(byLink.status).toBe(200);
    expect(await home.ended(linked)).toMatchObject({ status: 'COMPLETED', output: { done: true } });
    for (const executionId of [inQuestion, inParallel]) {
      expect((await home.submit(executionId, 'ask', { answer: 'late but fine' })).status).toBe(200);
      expect((await home.submit(executionId, 'ask', { answer: 'again' })).status).toBe(409);
    }
    const [acted, retried, answered, parallel, expired] = await Promise.all(
      [inAction, inRetry, inQuestion, inParallel, expiring].map((executionId) => home.ended(executionId)),
    );
    for (const execution of [acted, retried, answered, parallel]) {
      expect(execution).toMatchObject({ status: 'COMPLETED', output: { done: true }, pendingInput: [] });
      const nodeIds = execution.executionPath.map(({ nodeId }: { nodeId: string }) => nodeId);
      expect(nodeIds).toEqual([...new Set(nodeIds)]);
      expect(new Set(Object.values(statuses(execution)))).toEqual(new Set(['COMPLETED']));
    }
    expect(stepOf(acted, 'before')).toEqual(stepOf(seen, 'before'));
    expect(stepOf(acted, 'call')).toMatchObject({
      id: stepOf(seen, 'call').id,
      attempt: 1,
      output: { body: { calls: 2 } },
    });
    expect(new Set(server.calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(stepOf(retried, 'flaky')).toMatchObject({ attempt: 2, output: { attempt: 2 } });
    expect(stepOf(answered, 'ask').output).toMatchObject({ answer: 'late but fine' });
    expect(expired).toMatchObject({ status: 'FAILED', statusMessage: 'ask: No answer came in time' });
  },
);

testOfKill('killed between an answer and its signal: the execution continues with the answer', async ({ kill }) => {
  const far = action('far', 'testing.succeed', { output: '{{ steps.ask.output.answer }}' });
  const executionId = await started([question('ask'), far], 'ask', 'far');
  const { pendingInput } = await home.asked(executionId, 'ask');
  // Simulates an API that dies before it calls Temporal.
  const { workspaceId } = home;
  const [{ stepId: id }] = pendingInput;
  const submitted = await submitAnswer(database, { workspaceId, executionId, id }, { answer: 'mine' }, []);
  expect(submitted?.change?.status).toBe('RUNNING');
  await kill();

  expect((await home.submit(executionId, 'ask', { answer: 'again' })).status).toBe(409);
  const execution = await home.ended(executionId);
  expect(execution).toMatchObject({ status: 'COMPLETED', output: 'mine', pendingInput: [] });
  expect(statuses(execution)).toEqual({ ask: 'COMPLETED', far: 'COMPLETED' });
});

/** Long form: CROWD=500. */
const CROWD = Number(process.env.CROWD ?? 20);

testOfKill(`${CROWD} executions wait for input, everything is killed, and all of them continue`, async ({ kill }) => {
  const far = action('far', 'testing.succeed', { output: '{{ steps.ask.output.answer }}' });
  const workflowId = await home.deploy({ nodes: [question('ask'), far], edges: chain('ask', 'far') });
  const ids = await Promise.all(Array.from({ length: CROWD }, () => home.execute(workflowId)));
  const are = async (status: string) => {
    const { body } = await home.api(
      'GET',
      `/api/executions?limit=1000&expansion=status&filterBy=workflowId:${workflowId}`,
    );
    return body.filter((execution: { status: string }) => execution.status === status).length;
  };
  const patience = { timeout: 90_000, interval: 500 };
  await poll(() => are('NEEDS_INPUT'), patience).toBe(ids.length);
  await kill();

  expect(await are('NEEDS_INPUT')).toBe(ids.length);
  for (const id of ids) expect((await home.submit(id, 'ask', { answer: id })).status).toBe(200);
  await poll(() => are('COMPLETED'), patience).toBe(ids.length);
  for (const id of ids.slice(0, 5)) expect(await home.read(id)).toMatchObject({ output: id, pendingInput: [] });
});

test('an answer that was accepted survives the kill that follows at once, and counts once', async () => {
  const far = action('far', 'testing.succeed', { output: '{{ steps.ask.output.answer }}' });
  const workflowId = await home.deploy({ nodes: [question('ask'), far], edges: chain('ask', 'far') });
  const ids = await Promise.all(Array.from({ length: 12 }, () => home.execute(workflowId)));
  await Promise.all(ids.map((id) => home.asked(id, 'ask')));
  const accepted = new Set<string>();
  const submissions = ids.map(async (id) => {
    const status = await home.submit(id, 'ask', { answer: `first ${id}` }).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) accepted.add(id);
    return status;
  });
  await Promise.any(submissions.map(async (each) => (await each) === 200 || Promise.reject(new Error('not accepted'))));
  await stack.killMain();
  await Promise.all(submissions);
  await stack.startAgain();

  for (const id of ids) {
    const { status } = await home.submit(id, 'ask', { answer: `second ${id}` });
    if (accepted.has(id)) expect(status).toBe(409);
    const execution = await home.ended(id);
    expect(execution.status).toBe('COMPLETED');
    expect(execution.output).toBe(status === 200 ? `second ${id}` : `first ${id}`);
    expect(execution.executionPath).toHaveLength(2);
  }
  expect(accepted.size).toBeGreaterThan(0);
});

test('executions accepted before the kill run after it; an action without a recorded result is repeated under its key', async () => {
  const { main } = await stack.pids();
  const server = await loopback((_, response, index) => {
    // The work is done, but the worker never gets the response.
    if (index === 0) process.kill(main, 'SIGKILL');
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"done":true}');
  });
  const call = action('call', 'http.request', { method: 'POST', url: server.url });
  const quick = await home.deploy({ nodes: [before, after], edges: chain('before', 'after') });
  const worked = await home.deploy({ nodes: [call, after], edges: chain('call', 'after') });
  const accepted: string[] = [];
  const client = async () => {
    for (;;) {
      try {
        accepted.push(await home.execute(quick));
      } catch {
        return;
      }
    }
  };
  const clients = [client(), client(), client()];
  await poll(() => accepted.length, { timeout: 20_000 }).toBeGreaterThan(10);
  const executionId = await home.execute(worked);
  accepted.push(executionId);
  await Promise.all(clients);
  await stack.killMain();
  await stack.startAgain();

  for (const id of accepted) {
    const execution = await home.ended(id);
    expect(execution).toMatchObject({ status: 'COMPLETED', output: { done: true } });
    expect(execution.executionPath).toHaveLength(2);
  }
  expect(server.calls).toHaveLength(2);
  expect(server.calls[0]?.headers['idempotency-key']).toBe(server.calls[1]?.headers['idempotency-key']);
});

testOfKill(
  'kill -9 in the middle of a retry of a loop: what was kept stays so, and each call has its key',
  async ({ kill }) => {
    let isMended = false;
    let isHeld = false;
    const server = await loopback(({ url }, response) => {
      const index = Number(url.split('-')[1]);
      if (isHeld && index > 25) return;
      const isGood = isMended || url !== '/mail-20';
      response.writeHead(isGood ? 200 : 503, { 'content-type': 'application/json' }).end('{}');
    });
    const post = (id: string) =>
      action(id, 'http.request', { method: 'POST', url: `${server.url}/${id}-{{ loop.index }}` }, { parentId: 'each' });
    const items = Array.from({ length: 40 }, (_, index) => index);
    const first = await home.run({
      nodes: [control('each', 'forEach', { items, concurrency: 4 }), post('charge'), post('mail')],
      edges: edges('charge>mail'),
    });
    expect(first.status).toBe('FAILED');
    isMended = true;
    isHeld = true;
    const { body } = await home.api('POST', `/api/executions/${first.id}/retry`, { body: {} });
    await poll(() => server.calls.filter(({ url }) => Number(url.split('-')[1]) > 25).length, {
      timeout: 60_000,
      interval: 100,
    }).toBeGreaterThanOrEqual(4);
    await kill(async () => {
      isHeld = false;
    });
    const second = await home.ended(body.executionId);
    expect([second.status, second.output.length]).toEqual(['COMPLETED', 40]);
    const keys = new Map<string, Set<string>>();
    for (const { url, headers } of server.calls) {
      keys.set(url, (keys.get(url) ?? new Set()).add(String(headers['idempotency-key'])));
    }
    expect(keys.size).toBe(80);
    for (const [url, used] of keys) expect([url, used.size]).toEqual([url, 1]);
    for (const index of [0, 5, 10]) {
      for (const what of ['charge', 'mail']) {
        expect(server.calls.filter(({ url }) => url === `/${what}-${index}`)).toHaveLength(1);
      }
    }
  },
);

testOfKill(
  'kill -9 during the take-over of iterations: it continues, and no iteration runs again',
  async ({ kill }) => {
    const items = Array.from({ length: 301 }, (_, index) => index);
    const inside = [
      action('work', 'core.set', { values: { n: '{{ loop.index }}' } }, { parentId: 'each' }),
      action('check', 'core.assert', { condition: '{{ loop.index != trigger.bad }}' }, { parentId: 'each' }),
    ];
    const loop = control('each', 'forEach', { items });
    const child = await home.deploy({ nodes: [loop, ...inside], edges: edges('work>check') });
    const first = await home.ended(await home.execute(child, { bad: 300 }));
    const input = { bad: 300 };
    const caller = await home.run({ nodes: [control('call', 'runWorkflow', { workflowId: child, input })] });
    expect([first.status, caller.status]).toEqual(['FAILED', 'FAILED']);
    // The database rejects reused iterations from 200 on.
    await database.pool.query(`
      CREATE FUNCTION hold_take_over() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'held' USING ERRCODE = '57P03'; END $$;
      CREATE TRIGGER hold_take_over BEFORE INSERT ON execution_iterations FOR EACH ROW
      WHEN (NEW.is_kept AND NEW.index >= 200 AND NEW.loop_key = 'each') EXECUTE FUNCTION hold_take_over()`);
    const retried = async (id: string) =>
      String((await home.api('POST', `/api/executions/${id}/retry`, { body: {} })).body.executionId);
    const again = await retried(first.id);
    const [before] = (await home.read(caller.id, 'childExecutions')).childExecutions;
    const callerAgain = await retried(caller.id);
    const taken = async () => {
      const { rows } = await database.pool.query<{ id: string; count: number }>(
        "SELECT execution_id AS id, count(*)::int AS count FROM execution_iterations WHERE is_kept AND loop_key = 'each' GROUP BY 1 HAVING count(*) > 40",
      );
      return rows.map(({ count }) => count);
    };
    await poll(taken, { timeout: 60_000, interval: 100 }).toEqual([200, 200]);

    await kill();
    await database.pool.query('DROP TRIGGER hold_take_over ON execution_iterations');
    for (const id of [again, callerAgain]) expect((await home.ended(id)).status).toBe('FAILED');
    const [after] = (await home.read(callerAgain, 'childExecutions')).childExecutions;
    expect(after.id).not.toBe(before.id);
    for (const id of [again, after.id]) {
      const { executionPath } = await home.read(id);
      const each = executionPath.find(({ nodeId }: { nodeId: string }) => nodeId === 'each');
      expect(each.iterations).toMatchObject({ completed: 300, reused: 300, failed: 1 });
    }
    const { rows } = await database.pool.query('SELECT count(*)::int AS left FROM loops_to_take_over');
    expect(rows).toEqual([{ left: 0 }]);
  },
);
