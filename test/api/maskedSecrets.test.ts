import { describe, expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { eventsOf } from '../setup/api/events.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { action, chain, control, edges, manual, question, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome, stepOf } from '../setup/workspace/home.ts';

describe('secrets of an execution', () => {
  test('values of secret fields reach expressions, and no read', async () => {
    const home = await makeHome();
    const [typed, started] = ['hunter22-of-the-question', 'hunter22-of-the-trigger'];
    const secret = (key: string) => ({ key, label: key, type: 'secret', required: true });
    const executionId = await home.execute(
      await home.deploy({
        trigger: manual(secret('token')),
        nodes: [
          question('ask', {
            fields: [secret('password'), { key: 'user', label: 'User', type: 'text', required: true }],
          }),
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

  test('no message, key or encoding contains a secret', async () => {
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
});

describe('secrets in outputs', () => {
  const CREDENTIAL = 'hunter22-of-the-connection';
  const field = (key: string) => ({ key, label: key, type: 'secret', required: true });

  async function echoing(home: Home) {
    const server = await loopback(({ headers }, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ seen: headers['x-shop-key'] }));
    });
    const { body } = await home.api('POST', '/api/workflow-apps/http/connections/apiKey/connect', {
      body: { credentials: { apiKey: CREDENTIAL, header: 'X-Shop-Key', allowedHosts: ['127.0.0.1'] } },
    });
    const connectionId: string = body.id;
    const call = (id: string) => action(id, 'http.request', { method: 'GET', url: server.url }, { connectionId });
    return { server, connectionId, call };
  }

  /** Returns the results of all operations that read an execution, as one text. */
  async function allReads(home: Home, executionId: string): Promise<string> {
    const path = `/api/executions/${executionId}`;
    const reads: unknown[] = [];
    const get = async (place: string) => {
      const { status, body } = await home.api('GET', place);
      expect(status).toBe(200);
      reads.push(body);
      return body;
    };
    const { executionPath } = await get(`${path}?expansion=executionPath,pendingInput,status,statusMessage,output`);
    await get('/api/executions?expansion=output,statusMessage');
    await get(`${path}/output`);
    await get(`${path}/steps`);
    for (const { id } of executionPath)
      for (const rest of ['', '/input', '/output']) await get(`${path}/steps/${id}${rest}`);
    for await (const event of eventsOf(home.api, executionId)) reads.push(event);
    return JSON.stringify(reads);
  }

  test('a credential that an answer repeats is masked before any step or read has it', async () => {
    const home = await makeHome();
    const { call } = await echoing(home);
    const execution = await home.run({
      nodes: [
        call('call'),
        action('copy', 'core.set', {
          values: {
            quoted: 'It said {{ steps.call.output.body.seen }}.',
            encoded: '{{ base64("ann:" + steps.call.output.body.seen) }}',
            size: '{{ size(steps.call.output.body.seen) }}',
          },
        }),
      ],
      edges: chain('call', 'copy'),
    });
    expect(stepOf(execution, 'call').output.body).toEqual({ seen: '***' });
    expect(execution.output).toMatchObject({ quoted: 'It said ***.', size: 3, encoded: btoa('ann:***') });
    expect(await allReads(home, execution.id)).not.toMatch(/hunter22/);

    // A retry, which copies the step, does not show it either, even after the connection is deleted.
    const retried = await home.api('POST', `/api/executions/${execution.id}/retry`, { body: { fromStep: 'copy' } });
    const again = await home.ended(retried.body.executionId);
    expect(stepOf(again, 'call')).toMatchObject({ reused: true, output: { body: { seen: '***' } } });
    expect(await allReads(home, again.id)).not.toMatch(/hunter22/);
  });

  test('answers of runs and of node tests show no credential, at any size', async () => {
    const home = await makeHome();
    const { call, connectionId, server } = await echoing(home);
    const inputs = { method: 'GET', url: server.url };
    const step = { appId: 'http', actionId: 'request', inputs, connectionId };
    const large = {
      appId: 'core',
      actionId: 'set',
      inputs: { values: { all: '{{ steps.step1.output }}', much: 'x'.repeat(150_000) } },
    };
    const larger = { ...large, inputs: { values: { all: '{{ [steps.step2.output, steps.step2.output] }}' } } };
    for (const [path, body] of [
      ['/api/actions/run', step],
      ['/api/runs', { steps: [step] }],
      ['/api/runs', { steps: [step, large, larger] }],
    ] as const) {
      const run = await home.api('POST', path, { body });
      expect(run.body.status).toBe('COMPLETED');
      expect(JSON.stringify(run.body.output)).toContain('"seen":"***"');
      expect(JSON.stringify(run.body)).not.toMatch(/hunter22/);
    }
    const workflowId = await home.deploy({ nodes: [call('call')] });
    const tested = await home.api('POST', `/api/workflows/${workflowId}/nodes/call/test`, { body: {} });
    expect(tested.body).toMatchObject({ status: 'COMPLETED', output: { body: { seen: '***' } } });
  });

  test('a webhook answers without the secrets of its execution: its output, a body, a header, bytes', async () => {
    const home = await makeHome();
    const { call } = await echoing(home);
    const open = api(home.url);
    const answerOf = async (respond?: object) => {
      const node = respond
        ? control('last', 'respond', respond as never)
        : action('last', 'core.set', { values: { said: '{{ steps.call.output.body.seen }}!' } });
      const hook = await home.deploy({
        trigger: webhook({ respond: 'whenFinished' }),
        nodes: [call('call'), node],
        edges: chain('call', 'last'),
      });
      return open('POST', `/api/webhooks/workflows/${hook}`, { body: {} });
    };
    expect((await answerOf()).body).toEqual({ said: '***!' });
    const seen = '{{ steps.call.output.body.seen }}';
    const sent = await answerOf({ status: 201, headers: { 'X-Seen': `it was ${seen}` }, body: { seen } });
    expect([sent.status, sent.headers.get('x-seen'), sent.body]).toEqual([201, 'it was ***', { seen: '***' }]);
    const bytes = await answerOf({
      body: `{{ base64("ä " + steps.call.output.body.seen + " ü") }}`,
      encoding: 'base64',
    });
    expect(bytes.body).toBe('ä *** ü');
  });

  test('a webhook that asks for a secret answers without it', async () => {
    const home = await makeHome();
    const hook = await home.deploy({
      trigger: webhook({ respond: 'whenFinished' }),
      nodes: [
        question('ask', { fields: [field('password')] }),
        action('last', 'core.set', { values: { said: '{{ steps.ask.output.password }}' } }),
      ],
      edges: chain('ask', 'last'),
    });
    const answer = api(home.url)('POST', `/api/webhooks/workflows/${hook}`, { body: {} });
    const listed = async () => (await home.api('GET', `/api/executions?filterBy=workflowId:${hook}`)).body[0]?.id;
    await poll(listed).toBeTruthy();
    const executionId = await listed();
    await home.asked(executionId, 'ask');
    await home.submit(executionId, 'ask', { password: 'hunter22-submitted' });
    expect((await answer).body).toEqual({ said: '***' });
  });

  test('a secret that a child asks for, and returns, is shown neither by its parent nor by another child', async () => {
    const home = await makeHome();
    const asking = await home.deploy({
      nodes: [
        question('ask', { fields: [field('token')] }),
        action('give', 'core.set', { values: { token: '{{ steps.ask.output.token }}' } }),
      ],
      edges: chain('ask', 'give'),
    });
    const using = await home.deploy({
      trigger: manual({ key: 'handed', label: 'Handed', type: 'text', required: true }),
      nodes: [action('use', 'core.set', { values: { url: 'https://a.test/?t={{ trigger.handed }}' } })],
    });
    const parent = await home.deploy({
      nodes: [
        control('first', 'runWorkflow', { workflowId: asking }),
        control('second', 'runWorkflow', { workflowId: using, input: { handed: '{{ steps.first.output.token }}' } }),
      ],
      edges: edges('first>second'),
    });
    const executionId = await home.execute(parent);
    const children = async () => (await home.read(executionId, 'childExecutions')).childExecutions;
    await poll(async () => (await children()).length).toBe(1);
    const [first] = await children();
    await home.asked(first.id, 'ask');
    await home.submit(first.id, 'ask', { token: 'hunter22-of-the-child' });
    const ended = await home.ended(executionId);
    expect(ended.output).toEqual({ url: 'https://a.test/?t=***' });
    expect(stepOf(ended, 'first').output).toEqual({ token: '***' });
    for (const { id } of [{ id: executionId }, ...(await children())]) {
      expect(await allReads(home, id)).not.toMatch(/hunter22/);
    }
  });
});
