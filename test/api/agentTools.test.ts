import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, makeAgentHome, tool, userMessage } from '../setup/workspace/agentHome.ts';

const manual = (...keys: string[]) => ({
  id: 'trigger',
  type: 'manual',
  config: { fields: keys.map((key) => ({ key, label: key, type: 'number', required: true })) },
});

const graph = (trigger: object, node: object) => ({
  trigger: trigger as never,
  nodes: [{ id: 'only', ...node } as never],
  edges: [],
});

async function upserted(home: AgentHome, settings: object) {
  const { status, body } = await home.api('POST', `/api/projects/${home.projectId}/agents/upsert`, {
    body: {
      slug: `agent-${randomUUID()}`,
      instructions: 'Help.',
      model: 'm',
      aiConnectionId: home.connectionId,
      ...settings,
    },
  });
  return { status, body };
}

async function send(home: AgentHome, agentId: string, taskId = randomUUID()) {
  const body = { message: userMessage('Do it', randomUUID()) };
  return home.api('POST', `/api/agents/${agentId}/tasks/${taskId}/message`, { body });
}

const asked = (home: AgentHome, index: number) => home.provider.requests[index]?.body;
const names = (home: AgentHome, index: number) => asked(home, index)?.tools?.map(({ function: { name } }) => name);
const results = (home: AgentHome, index: number) =>
  asked(home, index)
    ?.messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => content);

test('a workflow is a tool: its fields are the arguments, its output the result, its run an execution', async () => {
  const home = await makeAgentHome();
  const workflowId = await home.deploy({
    slug: 'double-it',
    ...graph(manual('n'), {
      type: 'action',
      appId: 'core',
      actionId: 'transform',
      inputs: { value: '{{ trigger.n * 2 }}' },
    }),
  });
  const { body: agent } = await upserted(home, { workflowIds: [workflowId] });
  expect((await home.api('GET', `/api/agents/${agent.id}?expansion=workflows`)).body.workflows).toMatchObject([
    { id: workflowId },
  ]);
  home.provider.answer(
    callTools({ id: 'wrong', name: 'workflow_double-it', arguments: { m: 1 } }),
    callTools({ id: 'right', name: 'workflow_double-it', arguments: { n: 21 } }),
    say('It is 42'),
  );
  const taskId = randomUUID();
  expect((await send(home, agent.id, taskId)).status).toBe(200);
  expect(asked(home, 0)?.tools).toMatchObject([
    {
      function: { name: 'workflow_double-it', parameters: { properties: { n: { type: 'number' } }, required: ['n'] } },
    },
  ]);
  expect(results(home, 2)?.[0]).toContain('n: required');
  expect(results(home, 2)?.[1]).toBe('42');
  const call = await home.database.runToolCall.findFirstOrThrow({
    where: { toolCallId: 'right', run: { task: { clientId: taskId } } },
  });
  expect(call).toMatchObject({ kind: 'workflow', status: 'COMPLETED', output: 42 });
  const execution = await home.read(call.executionId as string, 'workflow', 'source', 'startedBy');
  expect(execution).toMatchObject({
    status: 'COMPLETED',
    source: 'WORKFLOW',
    workflow: { id: workflowId },
    startedBy: { type: 'agent', id: agent.id },
    output: 42,
  });
  const found = async (filter: string) => (await home.api('GET', `/api/executions?filterBy=${filter}`)).body;
  expect(await found(`taskId:${taskId}`)).toEqual([{ id: call.executionId }]);
  expect(await found(`runId:${call.runId}`)).toEqual([{ id: call.executionId }]);
  expect(await found(`taskId:${randomUUID()}`)).toEqual([]);
  const { body: task } = await home.api('GET', `/api/tasks/${taskId}?expansion=messages,toolExecutions`);
  const messageId = task.messages.at(-1).id;
  expect(task.toolExecutions).toEqual([{ messageId, toolCallId: 'right', executionId: call.executionId }]);
});

test('stopping a turn cancels the workflow that it waits for', async () => {
  const home = await makeAgentHome();
  const workflowId = await home.deploy({
    slug: 'ask',
    ...graph(manual(), { type: 'input', inputs: { fields: [] } }),
  });
  const { body: agent } = await upserted(home, { workflowIds: [workflowId] });
  home.provider.answer(callTools({ id: 'c', name: 'workflow_ask', arguments: {} }));
  const taskId = randomUUID();
  const sent = send(home, agent.id, taskId);
  const find = () =>
    home.database.runToolCall.findFirst({
      where: { toolCallId: 'c', run: { task: { clientId: taskId } }, executionId: { not: null } },
    });
  await home.untilTurn(taskId, () => true);
  let call = await find();
  for (; !call; call = await find()) await new Promise((resolve) => setTimeout(resolve, 20));
  const executionId = call.executionId as string;
  await home.asked(executionId, 'only');
  const stopped = await home.api('POST', `/api/agents/${agent.id}/tasks/${taskId}/stream-message/stop`, { body: {} });
  expect(stopped.body).toEqual({ stopped: true });
  expect(await home.ended(executionId)).toMatchObject({ status: 'CANCELLED' });
  await sent;
  expect(await home.turn(taskId)).toMatchObject({ status: 'STOPPED' });
});

test('an execution of a tool call is found by its task and cancelled like any other: the turn continues without its result', async () => {
  const home = await makeAgentHome();
  const workflowId = await home.deploy({ slug: 'ask', ...graph(manual(), { type: 'input', inputs: { fields: [] } }) });
  const { body: agent } = await upserted(home, { workflowIds: [workflowId] });
  home.provider.answer(callTools({ id: 'c', name: 'workflow_ask', arguments: {} }), say('Then not'));
  const taskId = randomUUID();
  const sent = send(home, agent.id, taskId);
  const found = async () => (await home.api('GET', `/api/executions?filterBy=taskId:${taskId}`)).body[0]?.id;
  await poll(found, { timeout: 30_000, interval: 50 }).toBeTruthy();
  const executionId = await found();
  await home.asked(executionId, 'only');
  await home.api('POST', `/api/executions/${executionId}/cancel`, { body: {} });
  expect((await sent).body.messages[0].parts.at(-1)).toMatchObject({ text: 'Then not' });
  expect(results(home, 1)).toEqual(['Error: The call was cancelled']);
});

test('a workflow that was switched off meanwhile is no tool', async () => {
  const home = await makeAgentHome();
  const definition = graph(manual(), { type: 'action', appId: 'core', actionId: 'set', inputs: { values: {} } });
  const workflowId = await home.deploy({ slug: 'off', ...definition });
  const { body: agent } = await upserted(home, { workflowIds: [workflowId] });
  await home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, {
    body: { slug: 'off', ...definition, isActive: false },
  });
  home.provider.answer(say('Hello'));
  await send(home, agent.id);
  expect(asked(home, 0)?.tools).toBeUndefined();
});

test('rejects workflows without a manual start and unknown tool names, by name', async () => {
  const home = await makeAgentHome();
  const workflowId = await home.deploy({
    slug: 'hook',
    ...graph(
      { id: 'trigger', type: 'webhook', config: { respond: 'immediately' } },
      {
        type: 'action',
        appId: 'core',
        actionId: 'set',
        inputs: { values: {} },
      },
    ),
  });
  const { status, body } = await upserted(home, {
    workflowIds: [workflowId],
    tools: [tool('testing', 'succeed')],
    forcedTools: ['testing_succeed', 'testing_fail'],
    enabledToolPolicies: { testing_succeed: 'approve', 'no-tool': 'deny' },
  });
  expect([status, body.errors.map(({ path }: { path: string }) => path)]).toEqual([
    400,
    ['workflowIds[0]', 'forcedTools[1]', 'enabledToolPolicies.no-tool'],
  ]);
});

test('calls forcedTools first, in order, once per turn; then the model decides', async () => {
  const home = await makeAgentHome();
  const { body: agent } = await upserted(home, {
    tools: [tool('testing', 'succeed'), tool('core', 'set')],
    forcedTools: ['core_set', 'testing_succeed'],
  });
  home.provider.answer(
    callTools({ id: 'a', name: 'core_set', arguments: { values: {} } }),
    callTools({ id: 'b', name: 'testing_succeed', arguments: {} }),
    say('Done'),
  );
  await send(home, agent.id);
  const choices = [0, 1, 2].map((index) => asked(home, index)?.tool_choice);
  expect(choices).toEqual([
    { type: 'function', function: { name: 'core_set' } },
    { type: 'function', function: { name: 'testing_succeed' } },
    undefined,
  ]);
});

test('longHorizonMode replaces maxToolRoundtrips by longHorizonMaxSteps and a token budget', async () => {
  const home = await makeAgentHome();
  const settings = { tools: [tool('testing', 'succeed')], longHorizonMode: true, maxToolRoundtrips: 1 };
  const again = (id: string) => [
    ...callTools({ id, name: 'testing_succeed', arguments: {} }),
    { usage: { prompt: 300, completion: 300 } },
  ];
  const { body: steps } = await upserted(home, { ...settings, longHorizonMaxSteps: 4 });
  home.provider.answer(again('a'), again('b'), again('c'), say('Enough'));
  await send(home, steps.id);
  const choice = (index: number) => asked(home, index)?.tool_choice;
  expect([0, 1, 2, 3].map(choice)).toEqual([undefined, undefined, undefined, 'none']);
  home.provider.requests.splice(0);
  const { body: tokens } = await upserted(home, { ...settings, longHorizonMaxTokensPerRun: 1000 });
  home.provider.answer(again('a'), again('b'), say('Enough'));
  await send(home, tokens.id);
  expect([0, 1, 2].map(choice)).toEqual([undefined, undefined, 'none']);
});

test('maxToolRoundtrips and messageLookbackLimit limit the calls and the messages of the model', async () => {
  const home = await makeAgentHome();
  const { body: agent } = await upserted(home, {
    tools: [tool('testing', 'succeed')],
    maxToolRoundtrips: 1,
    messageLookbackLimit: 3,
  });
  const taskId = randomUUID();
  for (const text of ['one', 'two']) {
    home.provider.answer(say(text));
    await send(home, agent.id, taskId);
  }
  home.provider.requests.splice(0);
  home.provider.answer(callTools({ id: 'a', name: 'testing_succeed', arguments: {} }), say('three'));
  await send(home, agent.id, taskId);
  expect(asked(home, 0)?.messages.map(({ role, content }) => [role, content])).toEqual([
    ['system', 'Help.'],
    ['user', 'Do it'],
    ['assistant', 'two'],
    ['user', 'Do it'],
  ]);
  expect([asked(home, 0)?.tool_choice, asked(home, 1)?.tool_choice]).toEqual([undefined, 'none']);
});

test('a turn ends at its limit even if the provider ignores tool_choice', async () => {
  const home = await makeAgentHome();
  const { body: agent } = await upserted(home, { tools: [tool('testing', 'succeed')], maxToolRoundtrips: 1 });
  let count = 0;
  home.provider.answerBy(() => [
    { text: 'Once more. ' },
    ...callTools(
      { id: `a${++count}`, name: 'testing_succeed', arguments: {} },
      { id: `b${count}`, name: 'none', arguments: {} },
    ),
  ]);
  const { status, body } = await send(home, agent.id);
  expect([status, home.provider.requests.length]).toEqual([200, 2]);
  const calls = body.messages[0].parts.filter(({ toolCallId }: { toolCallId?: string }) => toolCallId);
  expect(calls).toMatchObject([
    { toolCallId: 'a1', state: 'output-available' },
    { toolCallId: 'b1', state: 'output-error' },
    { toolCallId: 'a2', state: 'output-error', errorText: 'No tool calls are left in this turn' },
    { toolCallId: 'b2', state: 'output-error' },
  ]);
});

test('the model cannot set fixed inputs; policies by name override those of tools', async () => {
  const home = await makeAgentHome();
  const { body: agent } = await upserted(home, {
    tools: [tool('testing', 'succeed', { inputs: { output: 'fixed' } }), tool('core', 'set', { policy: 'auto' })],
    enabledToolPolicies: { core_set: 'deny' },
  });
  home.provider.answer(
    callTools(
      { id: 'a', name: 'testing_succeed', arguments: { output: 'mine' } },
      { id: 'b', name: 'testing_succeed', arguments: {} },
      { id: 'c', name: 'core_set', arguments: { values: {} } },
    ),
    say('Done'),
  );
  const taskId = randomUUID();
  await send(home, agent.id, taskId);
  expect(names(home, 0)).toEqual(['testing_succeed', 'core_set']);
  expect(asked(home, 0)?.tools?.[0]?.function.parameters).toMatchObject({ properties: {} });
  const calls = await home.database.runToolCall.findMany({
    where: { run: { task: { clientId: taskId } } },
    orderBy: { toolCallId: 'asc' },
  });
  expect(calls.map(({ toolCallId, status, output }) => [toolCallId, status, output])).toEqual([
    ['b', 'COMPLETED', 'fixed'],
    ['c', 'DENIED', null],
  ]);
});

test('a fixed input that looks like an expression is a text like any other', async () => {
  const home = await makeAgentHome();
  const values = { list: [{ own: '{{ trigger.more }}' }], id: 'of {{ execution.id }}', wrong: '{{ 1 +' };
  const { body: agent } = await upserted(home, { tools: [tool('core', 'set', { inputs: { values } })] });
  home.provider.answer(callTools({ id: 'a', name: 'core_set', arguments: {} }), say('Done'));
  const taskId = randomUUID();
  await send(home, agent.id, taskId);
  const [call] = await home.database.runToolCall.findMany({ where: { run: { task: { clientId: taskId } } } });
  expect([call?.status, call?.output]).toEqual(['COMPLETED', values]);
});

test('connectionIds: a tool of the app that names no connection uses it; two of one app are refused', async () => {
  const home = await makeAgentHome();
  const service = await loopback();
  const host = new URL(service.url).host;
  const [connectionId, second] = await Promise.all(
    ['first', 'second'].map(async (name) => {
      const made = await home.api('POST', '/api/workflow-apps/http/connections/apiKey/connect', {
        body: { name, credentials: { apiKey: `key of ${name}`, header: 'X-Token', allowedHosts: [host] } },
      });
      return made.body.id as string;
    }),
  );
  const tools = [tool('http', 'request', { inputs: { method: 'GET' } })];
  const refused = await upserted(home, { tools, connectionIds: [connectionId, second] });
  expect(refused.body.errors).toMatchObject([{ path: 'connectionIds[1]' }]);
  const { body: agent } = await upserted(home, { tools, connectionIds: [second] });
  expect((await home.api('GET', `/api/agents/${agent.id}?expansion=connections`)).body.connections).toEqual([
    { id: second, name: 'second' },
  ]);
  home.provider.answer(callTools({ id: 'a', name: 'http_request', arguments: { url: service.url } }), say('Done'));
  await send(home, agent.id);
  expect(service.calls.map(({ headers }) => headers['x-token'])).toEqual(['key of second']);
  expect(JSON.stringify(home.provider.requests.map(({ body }) => body))).not.toContain('key of second');
});
