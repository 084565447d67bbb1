// test: pglite
import { expect, test } from '@jest/globals';
import { action, chain, control, edges, manual, question, webhook } from '../setup/workspace/graph.ts';
import { makeHome, statuses, stepOf } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const set = (id: string, values: object) => action(id, 'core.set', { values: values as never });

test('an execution runs its steps and gives the output of the last', async () => {
  const home = await makeHome();
  const execution = await home.run(
    {
      nodes: [
        set('greet', { text: 'Hello {{ trigger.name }}' }),
        action('loud', 'core.transform', { value: '{{ steps.greet.output.text.upper() }}' }),
      ],
      edges: chain('greet', 'loud'),
    },
    { name: 'Ada' },
  );
  expect(execution).toMatchObject({ status: 'COMPLETED', statusMessage: null, output: 'HELLO ADA', pendingInput: [] });
  expect(execution.executionPath).toEqual([
    {
      id: expect.any(String),
      nodeId: 'greet',
      label: expect.any(String),
      appId: 'core',
      actionId: 'set',
      icon: expect.stringContaining('<svg'),
      status: 'COMPLETED',
      attempt: 1,
      attempts: [{ attempt: 1, startedAt: ISO, stoppedAt: ISO }],
      startedAt: ISO,
      stoppedAt: ISO,
      durationMs: expect.any(Number),
      input: { values: { text: 'Hello Ada' } },
      output: { text: 'Hello Ada' },
      iteration: [],
    },
    expect.objectContaining({
      nodeId: 'loud',
      actionId: 'transform',
      input: { value: 'HELLO ADA' },
      output: 'HELLO ADA',
    }),
  ]);
  for (const step of execution.executionPath) {
    expect(Date.parse(step.stoppedAt) - Date.parse(step.startedAt)).toBe(step.durationMs);
  }
});

test('inputData is checked against the fields of the trigger; defaults fill in, unknown keys stay', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({
    trigger: manual(
      { key: 'amount', label: 'Amount', type: 'number', required: true },
      {
        key: 'currency',
        label: 'Currency',
        type: 'select',
        required: false,
        default: 'EUR',
        options: [
          { value: 'EUR', label: 'Euro' },
          { value: 'USD', label: 'Dollar' },
        ],
      },
    ),
    nodes: [action('all', 'core.transform', { value: '{{ trigger }}' })],
  });
  const path = `/api/executions/workflows/${workflowId}/execute`;
  const wrong = await home.api('POST', path, { body: { inputData: { amount: 'ten', currency: 'GBP' } } });
  expect(wrong).toMatchObject({
    status: 400,
    body: {
      code: 'VALIDATION_FAILED',
      errors: [
        { path: 'inputData.amount', message: 'expected a number, got text' },
        { path: 'inputData.currency', message: expect.stringContaining('EUR, USD') },
      ],
    },
  });
  const missing = await home.api('POST', path, { body: {} });
  expect(missing).toMatchObject({ status: 400, body: { errors: [{ path: 'inputData.amount' }] } });
  expect((await home.api('GET', '/api/executions')).body).toEqual([]);

  const execution = await home.ended(await home.execute(workflowId, { amount: 10, note: [1, null] }));
  expect(execution.output).toEqual({ amount: 10, currency: 'EUR', note: [1, null] });
});

test.each([[undefined], [{}]])('without fields the trigger takes anything: %j', async (body) => {
  const home = await makeHome();
  const workflowId = await home.deploy({ nodes: [action('all', 'core.transform', { value: '{{ trigger }}' })] });
  const answer = await home.api('POST', `/api/executions/workflows/${workflowId}/execute`, body ? { body } : {});
  expect(answer.status).toBe(201);
  expect((await home.ended(answer.body.executionId)).output).toEqual({});
});

test.each([
  ['an inactive workflow', { isActive: false }, 'not active'],
  ['one that starts by webhook', { trigger: webhook() }, 'webhook'],
])('%s cannot be executed', async (_, more, detail) => {
  const home = await makeHome();
  const workflowId = await home.deploy({ nodes: [set('a', {})], ...more });
  const answer = await home.api('POST', `/api/executions/workflows/${workflowId}/execute`, { body: {} });
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'WORKFLOW_NOT_EXECUTABLE', detail: expect.stringContaining(detail) },
  });
  expect((await home.api('GET', '/api/executions')).body).toEqual([]);
});

test('an unknown workflow, and one of another workspace, are 404', async () => {
  const home = await makeHome();
  const stranger = await makeHome();
  const theirs = await stranger.deploy({ nodes: [set('a', {})] });
  for (const workflowId of ['nothing', '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f', theirs]) {
    const answer = await home.api('POST', `/api/executions/workflows/${workflowId}/execute`, { body: {} });
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  }
  expect((await stranger.api('GET', '/api/executions')).body).toEqual([]);
});

test('every expansion has correct values for a finished execution', async () => {
  const home = await makeHome();
  await home.api('POST', '/api/variables', { body: { name: 'rate', value: 7 } });
  const workflowId = await home.deploy({
    name: 'Whole',
    trigger: manual(),
    nodes: [set('a', { x: '{{ variables.rate }}' }), question('ask')],
    edges: chain('a', 'ask'),
  });
  const first = await home.execute(workflowId);
  await home.asked(first, 'ask');
  const waiting = await home.read(first, 'startedAt', 'stoppedAt');
  expect(waiting).toMatchObject({ status: 'NEEDS_INPUT', stoppedAt: null, output: null });
  expect(waiting.pendingInput).toEqual([
    {
      submitters: 'anyone',
      link: expect.stringContaining(`/api/webhooks/executions/${first}/nodes/ask/input?token=`),
      nodeId: 'ask',
      stepId: stepOf(waiting, 'ask').id,
      label: 'ask',
      fields: [{ key: 'answer', label: 'Answer', type: 'text', required: true }],
      requestedAt: ISO,
      iteration: [],
    },
  ]);
  await home.submit(first, 'ask', { answer: 'yes' });
  await home.ended(first);

  const expansion =
    'createdAt,updatedAt,startedAt,stoppedAt,executionNumber,nodes,edges,status,statusMessage,continueExecutionAt,workflow,project,workspace,output,orientation,executionVariables,source,name,parentExecution,childExecutions,retryOf,failureOf,failureHandling,executionPath,pendingInput';
  const { body } = await home.api('GET', `/api/executions/${first}?expansion=${expansion}`);
  expect(body).toMatchObject({
    id: first,
    createdAt: ISO,
    updatedAt: ISO,
    startedAt: ISO,
    stoppedAt: ISO,
    executionNumber: 1,
    status: 'COMPLETED',
    statusMessage: null,
    continueExecutionAt: null,
    workflow: { id: workflowId, name: 'Whole' },
    project: { id: home.projectId, name: expect.any(String) },
    workspace: { id: home.workspaceId, name: expect.any(String) },
    output: { answer: 'yes', submittedAt: ISO },
    orientation: 'horizontal',
    executionVariables: { rate: 7 },
    source: 'WORKFLOW',
    name: 'Whole',
    parentExecution: null,
    childExecutions: [],
    retryOf: null,
    failureOf: null,
    failureHandling: null,
    pendingInput: [],
  });
  expect(body.nodes.map(({ id }: { id: string }) => id)).toEqual(['a', 'ask']);
  expect(body.edges).toMatchObject([{ source: 'a', target: 'ask' }]);
  expect(statuses(body)).toEqual({ a: 'COMPLETED', ask: 'COMPLETED' });
  expect(body.stoppedAt >= body.startedAt && body.updatedAt >= body.createdAt).toBe(true);

  const plain = await home.api('GET', `/api/executions/${first}`);
  expect(Object.keys(plain.body).sort()).toEqual(['id', 'startedAt']);
  const unknown = await home.api('GET', `/api/executions/${first}?expansion=nonsense`);
  expect(unknown).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  expect(JSON.stringify(unknown.body)).toContain('executionPath');

  const second = await home.execute(workflowId);
  expect(await home.read(second, 'executionNumber')).toMatchObject({ executionNumber: 2 });
});

test('the list runs from the newest on, in pages, with filters', async () => {
  const home = await makeHome();
  const one = await home.deploy({ name: 'One', nodes: [set('a', {})] });
  const two = await home.deploy({ name: 'Two', nodes: [set('a', {})] });
  const ids: string[] = [];
  for (const workflowId of [one, two, one, one]) ids.push(await home.execute(workflowId));
  const adHoc = await home.api('POST', '/api/runs', {
    body: { steps: [{ appId: 'core', actionId: 'set', inputs: { values: {} } }] },
  });
  ids.push(adHoc.body.executionId);
  for (const id of ids) await home.ended(id);
  const newestFirst = [...ids].reverse();
  const list = async (query: string) => {
    const { body } = await home.api('GET', `/api/executions?${query}`);
    return body.map(({ id }: { id: string }) => id);
  };
  expect((await home.api('GET', '/api/executions')).body).toEqual(newestFirst.map((id) => ({ id })));
  expect(await list(`filterBy=workflowId:${one}`)).toEqual([ids[3], ids[2], ids[0]]);
  expect(await list('filterBy=source:SDK')).toEqual([adHoc.body.executionId]);
  expect(await list(`filterBy=source:WORKFLOW,workflowId:${two}`)).toEqual([ids[1]]);
  expect(await list(`filterBy=projectId:${home.projectId}`)).toEqual([ids[3], ids[2], ids[1], ids[0]]);
  const expanded = await home.api('GET', '/api/executions?expansion=name,status,executionNumber&limit=2');
  expect(expanded.body).toEqual([
    { id: adHoc.body.executionId, name: 'Run of 1 step', status: 'COMPLETED', executionNumber: 5 },
    { id: ids[3], name: 'One', status: 'COMPLETED', executionNumber: 4 },
  ]);

  const seen: string[] = [];
  let next: string | undefined = '/api/executions?limit=2';
  while (next) {
    const page: Awaited<ReturnType<typeof home.api>> = await home.api('GET', next);
    seen.push(...page.body.map(({ id }: { id: string }) => id));
    const link: string | undefined = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    next = link;
  }
  expect(seen).toEqual(newestFirst);
  for (const query of ['filterBy=colour:red', 'expansion=executionPath', 'includeType=nothing', 'limit=0']) {
    expect((await home.api('GET', `/api/executions?${query}`)).status).toBe(400);
  }
  const stranger = await makeHome();
  expect((await stranger.api('GET', '/api/executions')).body).toEqual([]);
  expect((await stranger.api('GET', `/api/executions/${ids[0]}`)).status).toBe(404);
});

test('executions of internal workflows are listed on demand', async () => {
  const home = await makeHome();
  const execution = await home.run({ isInternal: true, nodes: [set('a', {})] });
  expect((await home.api('GET', '/api/executions')).body).toEqual([]);
  expect((await home.api('GET', '/api/executions?includeType=internal')).body).toEqual([{ id: execution.id }]);
});

test('numbers count up without a gap, also when many start at once', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({ nodes: [set('a', { n: '{{ execution.number }}' })] });
  const ids = await Promise.all(Array.from({ length: 12 }, () => home.execute(workflowId)));
  const executions = await Promise.all(ids.map((id) => home.ended(id)));
  const numbers = executions.map(({ output }) => output.n).sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
});

test('expressions know their execution', async () => {
  const home = await makeHome();
  const execution = await home.run({
    name: 'Self',
    nodes: [action('self', 'core.transform', { value: '{{ execution }}' })],
  });
  const { workflow, startedAt } = (await home.api('GET', `/api/executions/${execution.id}?expansion=workflow`)).body;
  expect(execution.output).toEqual({
    id: execution.id,
    number: 1,
    startedAt,
    workflowId: workflow.id,
    workflowName: 'Self',
  });
});

test('a running execution keeps the version that it started with', async () => {
  const home = await makeHome();
  const graph = (text: string) => ({
    slug: 'pinned',
    nodes: [question('ask'), set('after', { text })],
    edges: chain('ask', 'after'),
  });
  const workflowId = await home.deploy(graph('old'));
  const old = await home.execute(workflowId);
  await home.asked(old, 'ask');
  expect(await home.deploy(graph('new'))).toBe(workflowId);
  const fresh = await home.execute(workflowId);
  await home.asked(fresh, 'ask');
  for (const id of [fresh, old]) await home.submit(id, 'ask', { answer: 'x' });
  expect((await home.ended(old)).output).toEqual({ text: 'old' });
  expect((await home.ended(fresh)).output).toEqual({ text: 'new' });
});

test('variables are taken at the start, the project before the workspace', async () => {
  const home = await makeHome();
  const variable = (name: string, value: unknown, projectId?: string) =>
    home.api('POST', '/api/variables', { body: { name, value, ...(projectId ? { projectId } : {}) } });
  const both = await variable('both', 'workspace');
  expect(both.status).toBeLessThan(300);
  expect((await variable('both', 'project', home.projectId)).status).toBeLessThan(300);
  const late = await variable('late', { n: 1 });
  const workflowId = await home.deploy({
    nodes: [question('ask'), set('read', { both: '{{ variables.both }}', late: '{{ variables.late.n }}' })],
    edges: chain('ask', 'read'),
  });
  const executionId = await home.execute(workflowId);
  await home.asked(executionId, 'ask');
  const changed = await home.api('PATCH', `/api/variables/${late.body.id}`, { body: { value: { n: 2 } } });
  expect(changed.status).toBe(200);
  await home.submit(executionId, 'ask', { answer: 'x' });
  expect((await home.ended(executionId)).output).toEqual({ both: 'project', late: 1 });
});

test('the id of the request is kept with the execution', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({ nodes: [set('a', {})] });
  const answer = await home.api('POST', `/api/executions/workflows/${workflowId}/execute`, {
    body: {},
    headers: { 'x-request-id': 'req-of-a-test' },
  });
  expect(answer.headers.get('x-request-id')).toBe('req-of-a-test');
  const row = await stackDatabase().execution.findUniqueOrThrow({ where: { id: answer.body.executionId } });
  expect(row.requestId).toBe('req-of-a-test');
});

test('one Idempotency-Key starts one execution', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({ nodes: [set('a', {})] });
  const path = `/api/executions/workflows/${workflowId}/execute`;
  const headers = { 'idempotency-key': 'order-17' };
  const first = await home.api('POST', path, { body: { inputData: { n: 1 } }, headers });
  const again = await home.api('POST', path, { body: { inputData: { n: 1 } }, headers });
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body).toEqual(first.body);
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  const other = await home.api('POST', path, { body: { inputData: { n: 2 } }, headers });
  expect(other).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  expect((await home.api('GET', '/api/executions')).body).toEqual(
    [first.body].map(({ executionId }) => ({ id: executionId })),
  );

  const many = await Promise.all(
    Array.from({ length: 10 }, () => home.api('POST', path, { body: {}, headers: { 'idempotency-key': 'at-once' } })),
  );
  const accepted = many.filter(({ status }) => status === 201);
  expect(accepted.length).toBeGreaterThan(0);
  expect(many.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
  expect(new Set(accepted.map(({ body }) => body.executionId)).size).toBe(1);
  expect((await home.api('GET', '/api/executions')).body).toHaveLength(2);
});

test('the path lists parallel branches in the order in which they began', async () => {
  const home = await makeHome();
  const execution = await home.run({
    nodes: [
      set('first', {}),
      action('left', 'testing.succeed', { output: 1 }),
      action('right', 'testing.succeed', { output: 2 }),
      set('join', { both: '{{ [steps.left.output, steps.right.output] }}' }),
      control('never', 'condition', { condition: false }),
      set('skipped', {}),
    ],
    edges: edges('first>left', 'first>right', 'left>join', 'right>join', 'join>never', 'never:true>skipped'),
  });
  const order = execution.executionPath.map(({ nodeId }: { nodeId: string }) => nodeId);
  expect(order[0]).toBe('first');
  expect(order.slice(1, 3).sort()).toEqual(['left', 'right']);
  expect(order.slice(3)).toEqual(['join', 'never']);
  expect(stepOf(execution, 'join').output).toEqual({ both: [1, 2] });
  expect(execution.status).toBe('COMPLETED');
});
