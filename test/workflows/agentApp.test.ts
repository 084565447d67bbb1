// test: pglite
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { type AgentHome, makeAgentHome } from '../setup/workspace/agentHome.ts';
import { requestsOf, scriptAgents } from '../setup/workspace/agentScripts.ts';
import { action, chain, control, manual } from '../setup/workspace/graph.ts';
import { stepOf } from '../setup/workspace/home.ts';

const PATIENCE = { timeout: 30_000, interval: 50 };

async function clerkAt(settings: object = {}): Promise<{ home: AgentHome; clerk: string }> {
  const home = await makeAgentHome();
  const clerk = await home.agent({ instructions: 'clerk', ...settings });
  return { home, clerk };
}

const run = (id: string, inputs: object, more: object = {}) => action(id, 'agent.run', inputs as never, more);

test('a step runs an agent and has its answer; another continues the conversation; both are found from the execution', async () => {
  const { home, clerk } = await clerkAt();
  scriptAgents(home, { clerk: [[...say('It is 7'), { usage: { prompt: 10, completion: 2 } }], say('As I said')] });
  const nodes = [
    run('ask', { agentId: clerk, message: 'What is {{ trigger.what }}?' }),
    run('again', { slug: clerk, message: 'Sure?', taskId: '{{ steps.ask.output.taskId }}' }),
  ];
  const execution = await home.run({ nodes, edges: chain('ask', 'again') }, { what: 'it' });
  const { output: first } = stepOf(execution, 'ask');
  expect(first).toMatchObject({ text: 'It is 7', usage: { inputTokens: 10, outputTokens: 2, totalTokens: 12 } });
  expect(stepOf(execution, 'again').output).toMatchObject({ taskId: first.taskId, text: 'As I said' });
  expect(requestsOf(home, 'clerk')[1]?.body.messages.map(({ content }) => content)).toEqual([
    'clerk',
    'What is it?',
    'It is 7',
    'Sure?',
  ]);
  const found = await home.api(
    'GET',
    `/api/tasks?filterBy=parentExecutionId:${execution.id}&expansion=parentExecution,latestRun`,
  );
  expect(found.body).toMatchObject([{ id: first.taskId, parentExecution: { id: execution.id } }]);
});

test('cancelling the execution stops the turn; a turn that waits in line ends too, and costs nothing', async () => {
  const { home, clerk } = await clerkAt();
  scriptAgents(home, { clerk: [[...say('It'), { hang: true }]] });
  const taskId = randomUUID();
  const workflowId = await home.deploy({ nodes: [run('ask', { agentId: clerk, message: 'Hi', taskId })] });
  const first = await home.execute(workflowId);
  await poll(() => requestsOf(home, 'clerk')[0]?.sent, PATIENCE).toBe('It');
  const second = await home.execute(workflowId);
  const waiting = () => home.database.taskRun.count({ where: { task: { clientId: taskId }, status: 'QUEUED' } });
  await poll(waiting, PATIENCE).toBe(1);
  await home.api('POST', `/api/executions/${second}/cancel`, { body: {} });
  expect(await home.ended(second)).toMatchObject({ status: 'CANCELLED' });
  expect(await home.turn(taskId)).toMatchObject({ status: 'STOPPED', begunAt: null });
  await home.api('POST', `/api/executions/${first}/cancel`, { body: {} });
  expect(await home.ended(first)).toMatchObject({ status: 'CANCELLED' });
  await requestsOf(home, 'clerk')[0]?.ended;
  expect(requestsOf(home, 'clerk').map(({ aborted }) => aborted)).toEqual([true]);
  const runs = await home.database.taskRun.findMany({ where: { task: { clientId: taskId } } });
  expect(runs.map(({ status }) => status)).toEqual(['STOPPED', 'STOPPED']);
});

test('terminating the execution stops its turn, also one that waited in line: nobody waits for the answer', async () => {
  const { home, clerk } = await clerkAt();
  const hang = (text: string) => [...say(text), { hang: true as const }];
  scriptAgents(home, { clerk: [hang('one'), hang('two')] });
  const taskId = randomUUID();
  const workflowId = await home.deploy({ nodes: [run('ask', { agentId: clerk, message: 'Hi', taskId })] });
  const asked = (index: number) => poll(() => requestsOf(home, 'clerk')[index]?.sent, PATIENCE);
  const statuses = async () => {
    const runs = await home.database.taskRun.findMany({
      where: { task: { clientId: taskId } },
      orderBy: { number: 'asc' },
    });
    return runs.map(({ status }) => status);
  };
  const terminate = (id: string) => home.api('POST', `/api/executions/${id}/terminate`, { body: {} });
  const first = await home.execute(workflowId);
  await asked(0).toBe('one');
  const second = await home.execute(workflowId);
  await poll(statuses, PATIENCE).toEqual(['RUNNING', 'QUEUED']);
  const third = await home.execute(workflowId);
  await poll(statuses, PATIENCE).toEqual(['RUNNING', 'QUEUED', 'QUEUED']);
  await terminate(third);
  await poll(statuses, PATIENCE).toEqual(['RUNNING', 'QUEUED', 'STOPPED']);
  await terminate(first);
  await asked(1).toBe('two');
  await (await stackTemporal()).workflow.getHandle(second).terminate('by hand');
  await poll(statuses, PATIENCE).toEqual(['STOPPED', 'STOPPED', 'STOPPED']);
  expect(requestsOf(home, 'clerk').map(({ aborted }) => aborted)).toEqual([true, true]);
}, 60_000);

test('a step that times out stops the turn, and is retried by its policy', async () => {
  const { home, clerk } = await clerkAt();
  scriptAgents(home, { clerk: [[{ hang: true }], say('At last')] });
  const retry = { maximumAttempts: 2, initialIntervalMs: 1 };
  const execution = await home.run({
    nodes: [run('ask', { agentId: clerk, message: 'Hi' }, { timeoutMs: 1_500, retry })],
  });
  expect(stepOf(execution, 'ask')).toMatchObject({ status: 'COMPLETED', attempt: 2, output: { text: 'At last' } });
  const turns = await home.database.taskRun.findMany({
    where: { parentExecutionId: execution.id },
    orderBy: { createdAt: 'asc' },
  });
  expect(turns.map(({ status }) => status)).toEqual(['STOPPED', 'COMPLETED']);
});

test('agents run in the iterations of a loop, side by side', async () => {
  const { home, clerk } = await clerkAt();
  home.provider.answerBy(({ body }) => say(`about ${body.messages.at(-1)?.content}`));
  const execution = await home.run({
    nodes: [
      control('each', 'forEach', { items: [1, 2, 3], concurrency: 3 }),
      run('ask', { agentId: clerk, message: '{{ string(loop.item) }}' }, { parentId: 'each' }),
    ],
  });
  expect(execution.output).toMatchObject([{ text: 'about 1' }, { text: 'about 2' }, { text: 'about 3' }]);
});

test('an agent that cannot run or fails fails the step by name', async () => {
  const { home, clerk } = await clerkAt();
  scriptAgents(home, { clerk: [[{ status: 400 }]] });
  const other = await makeAgentHome();
  const fails = async (inputs: object) => {
    const execution = await home.run({ nodes: [run('ask', { message: 'Hi', ...inputs })] });
    return stepOf(execution, 'ask').error;
  };
  expect(await fails({})).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining('agentId') });
  expect(await fails({ agentId: other.agentId })).toMatchObject({ code: 'NOT_FOUND' });
  expect(await fails({ slug: 'nobody' })).toMatchObject({ code: 'NOT_FOUND' });
  expect(await fails({ agentId: clerk, taskId: 'not good' })).toMatchObject({ code: 'INVALID_INPUT' });
  expect(await fails({ agentId: clerk })).toMatchObject({ code: 'AGENT_FAILED', message: /^The turn failed: / });
});

test('a step continues in a task of its own agent, even if others have used the id', async () => {
  const { home, clerk } = await clerkAt();
  home.provider.answerBy(() => say('Yes'));
  const taskId = `order-${randomUUID().slice(0, 8)}`;
  await home.send(taskId, 'To another agent');
  const execution = await home.run({ nodes: [run('ask', { agentId: clerk, message: 'Hi', taskId })] });
  expect(stepOf(execution, 'ask')).toMatchObject({ status: 'COMPLETED', output: { taskId, text: 'Yes' } });
  const said = async (agentId: string) =>
    (await home.api('GET', `/api/tasks/${taskId}?agentId=${agentId}&expansion=messages`)).body.messages[0].parts[0]
      .text;
  expect([await said(home.agentId), await said(clerk)]).toEqual(['To another agent', 'Hi']);
});

test('an agent that runs a workflow that runs the agent receives the error of the circle', async () => {
  const home = await makeAgentHome();
  const workflowId = await home.deploy({
    slug: 'circle',
    nodes: [run('ask', { slug: 'clerk', message: 'Hi' })],
  });
  const body = { slug: 'clerk', name: 'Clerk', instructions: 'clerk', model: 'm', aiConnectionId: home.connectionId };
  const upserted = await home.api('POST', `/api/projects/${home.projectId}/agents/upsert`, {
    body: { ...body, workflowIds: [workflowId] },
  });
  scriptAgents(home, { clerk: [callTools({ id: 'c', name: 'workflow_circle', arguments: {} }), say('No')] });
  const sent = await home.api('POST', `/api/agents/${upserted.body.id}/tasks/${randomUUID()}/message`, {
    body: { message: { role: 'user', parts: [{ type: 'text', text: 'Go' }] } },
  });
  const call = sent.body.messages[0].parts.find(({ toolCallId }: { toolCallId?: string }) => toolCallId === 'c');
  expect(call.errorText).toBe('Agents call each other: Clerk → Clerk');
});

test('secrets of an execution are masked in the message', async () => {
  const { home, clerk } = await clerkAt();
  scriptAgents(home, { clerk: [say('Noted')] });
  const trigger = manual({ key: 'token', label: 'Token', type: 'secret', required: true });
  const execution = await home.run(
    { trigger, nodes: [run('ask', { agentId: clerk, message: 'Use {{ trigger.token }} and go' })] },
    { token: 'tok-4711-secret' },
  );
  expect(execution.status).toBe('COMPLETED');
  const bodies = JSON.stringify(home.provider.requests.map(({ body }) => body));
  expect(bodies).not.toContain('tok-4711-secret');
  expect(bodies).toContain('and go');
});
