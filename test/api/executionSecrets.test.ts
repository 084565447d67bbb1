import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { poll } from '../setup/jest/poll.ts';
import { action, chain, control, manual, question, webhook } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';

test('values of secret fields reach expressions, and no read', async () => {
  const home = await makeHome();
  const [typed, started] = ['hunter22-of-the-question', 'hunter22-of-the-trigger'];
  const secret = (key: string) => ({ key, label: key, type: 'secret', required: true });
  const executionId = await home.execute(
    await home.deploy({
      trigger: manual(secret('token')),
      nodes: [
        question('ask', { fields: [secret('password'), { key: 'user', label: 'User', type: 'text', required: true }] }),
        action('use', 'core.set', {
          values: { header: 'Bearer {{ steps.ask.output.password }}', token: '{{ trigger.token }}' },
        }),
        action('size', 'core.set', {
          values: { lengths: ['{{ size(steps.ask.output.password) }}', '{{ size(trigger.token) }}'] },
        }),
      ],
      edges: chain('ask', 'use', 'size'),
      output: {
        all: '{{ steps.ask.output }}',
        lengths: '{{ steps.size.output.lengths }}',
        use: '{{ steps.use.output }}',
      },
    }),
    { token: started },
  );
  await home.asked(executionId, 'ask');
  await home.submit(executionId, 'ask', { password: typed, user: 'ada' });
  const finished = await home.finished(executionId);
  const execution = await home.read(executionId);
  expect(execution.output).toMatchObject({
    all: { password: '***', user: 'ada' },
    lengths: [typed.length, started.length],
    use: { header: 'Bearer ***', token: '***' },
  });
  expect(execution.executionPath.map(({ nodeId }: { nodeId: string }) => nodeId)).toEqual(['ask', 'use', 'size']);
  expect(execution.executionPath[0].output).toMatchObject({ password: '***', user: 'ada' });
  expect(execution.executionPath[1].input).toEqual({ values: { header: 'Bearer ***', token: '***' } });

  const path = `/api/executions/${executionId}`;
  const reads = [
    finished,
    execution,
    (await home.api('GET', `${path}/steps`)).body,
    (await home.api('GET', `${path}/output`)).body,
    (await home.api('GET', `/api/executions?expansion=output`)).body,
  ];
  for (const { id } of execution.executionPath) {
    for (const rest of ['', '/input', '/output'])
      reads.push((await home.api('GET', `${path}/steps/${id}${rest}`)).body);
  }
  expect(reads).toHaveLength(14);
  for (const read of reads) expect(JSON.stringify(read)).not.toMatch(/hunter22/);
});

const secretField = { key: 'token', label: 'Token', type: 'secret', required: true };

test('a secret stands in no message, no key, no encoding', async () => {
  const home = await makeHome();
  const token = 'hunter22-of "the" trigger';
  const values = {
    '{{ trigger.token }}': 1,
    json: '{{ json({"a": trigger.token}) }}',
    url: '{{ urlEncode(trigger.token) }}',
    base64: '{{ base64("ann:" + trigger.token) }}',
  };
  const done = await home.run(
    {
      trigger: manual(secretField),
      nodes: [
        action('forms', 'core.set', { values }),
        action('keys', 'text.parseJson', { text: '{{ "{" + json(trigger.token) + ": 7}" }}' }),
      ],
      edges: chain('forms', 'keys'),
    },
    { token },
  );
  expect(done.status).toBe('COMPLETED');
  expect(done.output).toEqual({ '***': 7 });
  const text = JSON.stringify(done);
  expect(text).not.toMatch(/hunter22/);
  expect(text).not.toContain(Buffer.from(`ann:${token}`).toString('base64').slice(8, -6));

  for (const node of [
    action('fails', 'testing.fail', { message: 'refused: {{ trigger.token }}' }),
    control('stops', 'stop', { outcome: 'failed', message: 'refused: {{ trigger.token }}' }),
  ]) {
    const failed = await home.run({ trigger: manual(secretField), nodes: [node] }, { token });
    expect(failed.status).toBe('FAILED');
    expect(failed.statusMessage).toContain('refused: ***');
    const listed = await home.api('GET', '/api/executions?expansion=statusMessage,output');
    expect(JSON.stringify([failed, listed.body])).not.toMatch(/hunter22/);
  }
});

test('a question that quotes a secret does not show it, nor does the problem that a webhook answers', async () => {
  const home = await makeHome();
  const asks = await home.deploy({
    trigger: manual(secretField),
    nodes: [question('ask', { title: 'Is {{ trigger.token }} right?', instructions: '{{ trigger.token }}' })],
  });
  const executionId = await home.execute(asks, { token: 'hunter22-asked' });
  const { pendingInput } = await home.asked(executionId, 'ask');
  expect(pendingInput).toMatchObject([{ title: 'Is *** right?', instructions: '***' }]);

  const hook = await home.deploy({
    trigger: webhook({ respond: 'whenFinished' }),
    nodes: [
      question('ask', { fields: [{ ...secretField, key: 'answer' }] }),
      action('fails', 'testing.fail', { message: 'refused: {{ steps.ask.output.answer }}' }),
    ],
    edges: chain('ask', 'fails'),
  });
  const answer = api(home.url)('POST', `/api/webhooks/workflows/${hook}`, { body: {} });
  const listed = async () => (await home.api('GET', `/api/executions?filterBy=workflowId:${hook}`)).body[0]?.id;
  await poll(listed).toBeTruthy();
  const waiting = await listed();
  await home.asked(waiting, 'ask');
  await home.submit(waiting, 'ask', { answer: 'hunter22-submitted' });
  const { status, body } = await answer;
  expect([status, body.code]).toEqual([500, 'EXECUTION_FAILED']);
  expect(body.detail).toContain('refused: ***');
});

test('a secret that is handed to another workflow is masked there, and in its output', async () => {
  const home = await makeHome();
  const grandchild = await home.deploy({
    nodes: [action('fails', 'testing.fail', { message: 'deep: {{ trigger.handed }}' })],
  });
  const child = await home.deploy({
    nodes: [
      action('use', 'core.set', { values: { url: 'https://a.test/?t={{ trigger.handed }}' } }),
      control(
        'deeper',
        'runWorkflow',
        { workflowId: grandchild, input: { handed: '{{ trigger.handed }}' } },
        { onError: 'continue' },
      ),
      question('ask', { fields: [{ ...secretField, key: 'answer' }] }),
      action('fails', 'testing.fail', { message: 'own: {{ steps.ask.output.answer }}' }),
    ],
    edges: chain('use', 'deeper', 'ask', 'fails'),
  });
  const parent = await home.deploy({
    trigger: manual(secretField),
    nodes: [control('run', 'runWorkflow', { workflowId: child, input: { handed: '{{ trigger.token }}' } })],
  });
  const executionId = await home.execute(parent, { token: 'hunter22-handed' });
  const children = async () => (await home.read(executionId, 'childExecutions')).childExecutions;
  await poll(async () => (await children()).length).toBe(1);
  const childId = (await children())[0].id;
  await home.asked(childId, 'ask');
  await home.submit(childId, 'ask', { answer: 'hunter22-of-the-child' });
  const ended = await home.ended(executionId);
  const below = await home.read(childId, 'childExecutions');
  const deepest = await home.read(below.childExecutions[0].id);
  expect(deepest.statusMessage).toContain('deep: ***');
  expect(below.executionPath[0].output).toEqual({ url: 'https://a.test/?t=***' });
  expect(ended.statusMessage).toContain('own: ***');
  expect(JSON.stringify([ended, below, deepest])).not.toMatch(/hunter22/);
});
