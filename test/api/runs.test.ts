import { expect, test } from '@jest/globals';
import { makeHome, statuses } from '../setup/workspace/home.ts';

test('one action runs, and its result is the answer', async () => {
  const home = await makeHome();
  const answer = await home.api('POST', '/api/actions/run', {
    body: { appId: 'core', actionId: 'transform', inputs: { value: '{{ 1 + 1 }}' } },
  });
  expect(answer).toMatchObject({ status: 201, body: { status: 'COMPLETED', output: 2 } });
  expect(answer.body.error).toBeUndefined();
  expect(answer.body.executionPath).toMatchObject([{ actionId: 'transform', status: 'COMPLETED', output: 2 }]);
  const read = await home.read(answer.body.executionId, 'source', 'workflow', 'project', 'name');
  expect(read).toMatchObject({ source: 'SDK', workflow: null, project: null, status: 'COMPLETED', output: 2 });
});

test('steps run one after the other and see each other', async () => {
  const home = await makeHome();
  await home.api('POST', '/api/variables', { body: { name: 'factor', value: 3 } });
  const answer = await home.api('POST', '/api/runs', {
    body: {
      steps: [
        { appId: 'testing', actionId: 'succeed', inputs: { output: { n: 7 } } },
        {
          id: 'times',
          appId: 'core',
          actionId: 'transform',
          inputs: { value: '{{ steps.step1.output.n * variables.factor }}' },
        },
      ],
    },
  });
  expect(answer).toMatchObject({ status: 201, body: { status: 'COMPLETED', output: 21 } });
  expect(statuses(answer.body)).toEqual({ step1: 'COMPLETED', times: 'COMPLETED' });
});

test('a failed action is a recorded run', async () => {
  const home = await makeHome();
  const answer = await home.api('POST', '/api/actions/run', {
    body: { appId: 'testing', actionId: 'fail', inputs: { message: 'No stock', retryable: false } },
  });
  expect(answer).toMatchObject({
    status: 201,
    body: { status: 'FAILED', output: null, error: { code: 'TEST_FAILURE', message: 'No stock', attempt: 1 } },
  });
  const runs = await home.api('POST', '/api/runs', {
    body: {
      steps: [
        { appId: 'core', actionId: 'transform', inputs: { value: 1 } },
        { appId: 'core', actionId: 'transform', inputs: { value: '{{ trigger.none }}' } },
        { appId: 'core', actionId: 'transform', inputs: { value: 2 } },
      ],
    },
  });
  expect(runs).toMatchObject({ status: 201, body: { status: 'FAILED', error: { code: 'EXPRESSION_FAILED' } } });
  expect(statuses(runs.body)).toEqual({ step1: 'COMPLETED', step2: 'FAILED' });
});

test.each([
  ['an unknown app', { appId: 'none', actionId: 'x' }],
  ['an unknown action', { appId: 'core', actionId: 'none' }],
  ['an unknown input', { appId: 'core', actionId: 'transform', inputs: { value: 1, other: 2 } }],
  ['a broken expression', { appId: 'core', actionId: 'transform', inputs: { value: '{{ 1 + }}' } }],
])('%s is refused, and nothing is stored', async (_, step) => {
  const home = await makeHome();
  const one = await home.api('POST', '/api/actions/run', { body: step });
  const several = await home.api('POST', '/api/runs', { body: { steps: [step] } });
  for (const answer of [one, several])
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  expect(one.body.errors[0].path).not.toContain('steps');
  expect(several.body.errors[0].path).toMatch(/^steps\[0\]/);
  expect((await home.api('GET', '/api/executions')).body).toEqual([]);
});

test.each(['/api/actions/run', '/api/runs'])('one Idempotency-Key is one run: %s', async (path) => {
  const home = await makeHome();
  const step = { appId: 'core', actionId: 'transform', inputs: { value: '{{ execution.number }}' } };
  const body = path.endsWith('runs') ? { steps: [step] } : step;
  const headers = { 'idempotency-key': 'k' };
  const first = await home.api('POST', path, { body, headers });
  const again = await home.api('POST', path, { body, headers });
  expect(again).toMatchObject({ status: 201, body: first.body });
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  const number = { appId: 'core', actionId: 'transform', inputs: { value: 'other' } };
  const other = await home.api('POST', path, { body: path.endsWith('runs') ? { steps: [number] } : number, headers });
  expect(other.status).toBe(409);
  expect((await home.api('GET', '/api/executions')).body).toHaveLength(1);
});
