// test: long
import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { eventsOf } from '../setup/api/events.ts';
import { refusing } from '../setup/database/refusing.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { agentHomeOn } from '../setup/workspace/agentHome.ts';
import { action, question, webhook } from '../setup/workspace/graph.ts';

// Long enough for a step to begin on a busy machine.
const SYNC_MS = 1_500;

const { stack, home, database } = await ownHome({
  environment: {
    SYNC_RUN_TIMEOUT_MS: String(SYNC_MS),
    SSE_HEARTBEAT_MS: '150',
    TURN_WAIT_MS: String(SYNC_MS),
    CANCEL_WAIT_MS: String(SYNC_MS),
  },
});

test('a webhook that takes longer than its caller may wait answers 202 and continues', async () => {
  const workflowId = await home.deploy({ trigger: webhook({ respond: 'whenFinished' }), nodes: [question('ask')] });
  const startedAt = Date.now();
  const answer = await home.api('POST', `/api/webhooks/workflows/${workflowId}`, { body: {} });
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(SYNC_MS);
  const { executionId } = answer.body;
  // On a busy machine the question may not be open yet.
  const status = expect.stringMatching(/^(PENDING|RUNNING|NEEDS_INPUT)$/);
  expect(answer).toMatchObject({ status: 202, body: { executionId, status } });
  expect(answer.headers.get('x-execution-id')).toBe(executionId);
  await home.asked(executionId, 'ask');
  expect((await home.submit(executionId, 'ask', { answer: 'x' })).status).toBe(200);
  expect((await home.ended(executionId)).status).toBe('COMPLETED');
});

test('a webhook whose workflow is paused answers 202 when its time is over, and runs after the resume', async () => {
  const nodes = [action('a', 'core.set', { values: { done: true } })];
  const workflowId = await home.deploy({ trigger: webhook({ respond: 'whenFinished' }), nodes });
  await home.api('POST', `/api/workflows/${workflowId}/pause`);
  const startedAt = Date.now();
  const answer = await api(home.url)('POST', `/api/webhooks/workflows/${workflowId}`, { body: {} });
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(SYNC_MS);
  const { executionId } = answer.body;
  expect(answer).toMatchObject({ status: 202, body: { executionId, status: 'PENDING' } });
  await home.api('POST', `/api/workflows/${workflowId}/resume`);
  expect(await home.ended(executionId)).toMatchObject({ status: 'COMPLETED', output: { done: true } });
});

test.each(['/api/actions/run', '/api/runs'])(
  'a run that takes longer is answered as RUNNING with its id: %s',
  async (path) => {
    const step = { appId: 'testing', actionId: 'wait', inputs: { ms: SYNC_MS * 3 } };
    const body = path.endsWith('runs') ? { steps: [step] } : step;
    let answer = await home.api('POST', path, { body });
    // On a busy machine it may not have begun in that time; then try again.
    for (let tries = 0; answer.body.status === 'PENDING' && tries < 5; tries++) {
      answer = await home.api('POST', path, { body });
    }
    expect(answer).toMatchObject({ body: { status: 'RUNNING', executionPath: [{ status: 'RUNNING' }] } });
    expect(answer.status).toBe(201);
    expect(await home.ended(answer.body.executionId)).toMatchObject({ status: 'COMPLETED' });
  },
);

test('a message whose turn takes longer than its sender may wait is answered 202, and the turn continues', async () => {
  const agent = await agentHomeOn(home, database);
  agent.provider.answer([{ text: 'Hel' }, { waitMs: SYNC_MS * 2 }, { text: 'lo' }]);
  const startedAt = Date.now();
  const { status, body } = await agent.send('slow', 'Hi');
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(SYNC_MS);
  expect([status, body]).toEqual([202, { taskId: 'slow', runId: expect.any(String), status: 'RUNNING' }]);
  const ended = await agent.untilTurn('slow', (run) => run.status === 'COMPLETED');
  expect(ended.id).toBe(body.runId);
});

test('a cancellation that takes longer than its caller may wait is answered with the current status, and continues', async () => {
  const executionId = await home.execute(await home.deploy({ nodes: [question('ask')] }));
  await home.asked(executionId, 'ask');
  const { release } = await refusing(stack.databaseUrl, {
    before: 'UPDATE ON executions',
    when: `NEW.id = '${executionId}' AND NEW.stopped_at IS NOT NULL`,
  });
  const startedAt = Date.now();
  const { body } = await home.api('POST', `/api/executions/${executionId}/cancel`);
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(SYNC_MS);
  expect(body).toMatchObject({ executionId, status: 'NEEDS_INPUT' });
  await release();
  expect((await home.ended(executionId)).status).toBe('CANCELLED');
});

test('a quiet stream beats, and its beats are no revisions', async () => {
  const executionId = await home.execute(
    await home.deploy({ nodes: [question('ask'), action('a', 'core.set', { values: {} })] }),
  );
  await home.asked(executionId, 'ask');
  let beats = 0;
  for await (const { event, id, data } of eventsOf(home.api, executionId)) {
    if (event !== 'heartbeat') continue;
    expect(data).toEqual({});
    expect(id).toBeUndefined();
    beats += 1;
    if (beats === 3) await home.submit(executionId, 'ask', { answer: 'x' });
  }
  expect(beats).toBeGreaterThanOrEqual(3);
});

test('the test of a node takes no longer than its caller may wait', async () => {
  const workflowId = await home.deploy({ nodes: [action('long', 'testing.wait', { ms: 600_000 })] });
  const { status, body } = await home.api('POST', `/api/workflows/${workflowId}/nodes/long/test`, { body: {} });
  expect([status, body]).toEqual([
    200,
    {
      status: 'FAILED',
      output: null,
      error: { code: 'TIMEOUT', message: 'Not finished within 1 s 500 ms', attempt: 1 },
      durationMs: expect.any(Number),
    },
  ]);
});
