// test: long
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { gate } from '../setup/jest/gate.ts';
import { poll } from '../setup/jest/poll.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { commandFolder } from '../setup/stack/commandLine.ts';
import { type AgentHome, makeAgentHome, tool, userMessage } from '../setup/workspace/agentHome.ts';
import { requestsOf, scriptAgents } from '../setup/workspace/agentScripts.ts';
import { keyOf } from '../setup/workspace/grants.ts';
import { action, chain, control, question } from '../setup/workspace/graph.ts';
import { stepOf } from '../setup/workspace/home.ts';

const PATIENCE = { timeout: 60_000, interval: 50 };

// biome-ignore lint/suspicious/noExplicitAny: the shape was checked against openapi.yaml
type Loose = any;

const run = (id: string, inputs: object, more: object = {}) => action(id, 'agent.run', inputs as never, more);
const isWaiting = ({ status }: Loose) => status === 'WAITING';
const pays = (id: string) => callTools({ id, name: 'testing_succeed', arguments: { output: 7 } });

async function clerkAt(more: object = {}): Promise<{ home: AgentHome; clerk: string }> {
  const home = await makeAgentHome();
  const tools = [tool('testing', 'succeed', { policy: 'approve' })] as never;
  return { home, clerk: await home.agent({ instructions: 'clerk', tools, ...more }) };
}

async function answer(home: AgentHome, executionId: string, approved: boolean, nodeId = 'ask') {
  const { agentId, taskId } = stepOf(await home.read(executionId), nodeId).awaitedApproval;
  return answerIn(home, { agentId, taskId }, approved);
}

async function answerIn(home: AgentHome, { agentId, taskId }: { agentId: string; taskId: string }, approved: boolean) {
  const { body } = await home.api('GET', `/api/tasks/${taskId}?agentId=${agentId}&expansion=pendingApprovals`);
  const parts = body.pendingApprovals.map(({ approvalId }: { approvalId: string }) => ({
    ...{ type: 'tool-approval-response', approvalId, approved },
  }));
  const path = `/api/agents/${agentId}/tasks/${taskId}/message`;
  const sent = await home.api('POST', path, { body: { message: { role: 'assistant', parts } } });
  expect(sent.status).toBe(200);
}

async function asking(home: AgentHome, clerk: string): Promise<{ executionId: string; taskId: string }> {
  const executionId = await home.execute(
    await home.deploy({ nodes: [run('ask', { agentId: clerk, message: 'Pay' })] }),
  );
  await home.until(executionId, isWaiting);
  const { taskId } = stepOf(await home.read(executionId), 'ask').awaitedApproval;
  return { executionId, taskId };
}

const waitingIds = async (home: AgentHome, value = true) =>
  (await home.api('GET', `/api/executions?filterBy=waitingForApproval:${value}`)).body.map((each: Loose) => each.id);

test('a step whose agent asks for an approval waits for it, and continues with the answer of the agent', async () => {
  const { home, clerk } = await clerkAt();
  scriptAgents(home, {
    clerk: [
      [...pays('c'), { usage: { prompt: 10, completion: 1 } }],
      [...say('Paid.'), { usage: { prompt: 20, completion: 2 } }],
    ],
  });
  const after = action('after', 'core.set', { values: { said: '{{ steps.ask.output.text }}' } });
  const nodes = [run('ask', { agentId: clerk, message: 'Pay' }), after];
  const executionId = await home.execute(await home.deploy({ nodes, edges: chain('ask', 'after') }));

  const waiting = await home.until(executionId, isWaiting);
  expect(waiting.statusMessage).toBe('waits for an approval');
  const step = stepOf(await home.read(executionId), 'ask');
  expect(step).toMatchObject({
    status: 'WAITING',
    statusMessage: 'waits for an approval',
    attempt: 1,
    awaitedApproval: { agentId: clerk, taskId: step.input.taskId, runId: step.input.runId },
  });
  expect(await waitingIds(home)).toEqual([executionId]);
  expect(await waitingIds(home, false)).toEqual([]);
  const { perdure } = commandFolder({ PERDURE_URL: home.url, PERDURE_API_KEY: home.apiKey });
  const other = await home.execute(await home.deploy({ nodes: [question('input')] }));
  await home.asked(other, 'input');
  const { stdout } = await perdure(['executions', 'list', '--waiting-for-approval', '--json']);
  expect(JSON.parse(stdout).map(({ id }: Loose) => id)).toEqual([executionId]);

  await answer(home, executionId, true);
  const ended = await home.ended(executionId);
  expect(ended).toMatchObject({ status: 'COMPLETED', statusMessage: null, output: { said: 'Paid.' } });
  const { taskId } = step.input;
  expect(stepOf(ended, 'ask')).toMatchObject({
    status: 'COMPLETED',
    attempt: 1,
    output: { taskId, text: 'Paid.', usage: { inputTokens: 30, outputTokens: 3 } },
  });
  expect(stepOf(ended, 'ask')).not.toHaveProperty('awaitedApproval');
  expect(await waitingIds(home)).toEqual([]);
  await poll(() => home.database.stepWait.count({ where: { executionId } }), PATIENCE).toBe(0);
  const turns = await home.database.taskRun.findMany({ where: { parentExecutionId: executionId } });
  expect(turns.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
});

test('a denied call does not fail the step: the turn continues, and may ask again', async () => {
  const { home, clerk } = await clerkAt();
  scriptAgents(home, { clerk: [pays('c1'), pays('c2'), say('So be it.')] });
  const executionId = await home.execute(
    await home.deploy({ nodes: [run('ask', { agentId: clerk, message: 'Pay' })] }),
  );
  await home.until(executionId, isWaiting);
  const asked = stepOf(await home.read(executionId), 'ask').awaitedApproval;
  await answer(home, executionId, false);
  const again = async () => stepOf(await home.read(executionId), 'ask').awaitedApproval?.runId ?? asked.runId;
  await poll(again, PATIENCE).not.toBe(asked.runId);
  await answer(home, executionId, false);
  expect(stepOf(await home.ended(executionId), 'ask')).toMatchObject({
    status: 'COMPLETED',
    output: { text: 'So be it.' },
  });
  expect((await home.messages(asked.taskId)).at(-1).parts).toEqual(
    expect.arrayContaining([expect.objectContaining({ toolCallId: 'c2', state: 'output-denied' })]),
  );
});

test('stopping the turn that waits for approval fails the step and withdraws the approval', async () => {
  const { home, clerk } = await clerkAt();
  scriptAgents(home, { clerk: [pays('c')] });
  const { executionId, taskId } = await asking(home, clerk);
  const stopped = await home.api('POST', `/api/agents/${clerk}/tasks/${taskId}/stream-message/stop`, { body: {} });
  expect(stopped.body).toEqual({ stopped: true });
  expect(stepOf(await home.ended(executionId), 'ask').error).toMatchObject({ code: 'AGENT_STOPPED' });
  const { body: task } = await home.api(
    'GET',
    `/api/tasks/${taskId}?agentId=${clerk}&expansion=pendingApprovals,latestRun`,
  );
  expect(task).toMatchObject({ pendingApprovals: [], latestRun: { status: 'STOPPED' } });
});

test('a message instead of an answer denies the call, and fails the step', async () => {
  const { home, clerk } = await clerkAt();
  scriptAgents(home, { clerk: [pays('c'), say('As you like.')] });
  const { executionId, taskId } = await asking(home, clerk);
  const body = { message: userMessage('Never mind', randomUUID()) };
  expect((await home.api('POST', `/api/agents/${clerk}/tasks/${taskId}/message`, { body })).status).toBe(200);
  expect(stepOf(await home.ended(executionId), 'ask').error).toMatchObject({
    code: 'AGENT_STOPPED',
    message: expect.stringContaining('without an answer'),
  });
});

test('deleting the task with the pending approval fails the step', async () => {
  const { home, clerk } = await clerkAt();
  scriptAgents(home, { clerk: [pays('c')] });
  const { executionId, taskId } = await asking(home, clerk);
  expect((await home.api('DELETE', `/api/tasks/${taskId}?agentId=${clerk}`)).status).toBe(200);
  expect(stepOf(await home.ended(executionId), 'ask').error).toMatchObject({ code: 'AGENT_STOPPED' });
});

test('the timeout of the step pauses during an approval and continues after the answer', async () => {
  const { home, clerk } = await clerkAt();
  scriptAgents(home, { clerk: [pays('c'), [{ hang: true }]] });
  const timeoutMs = 10_000;
  const ask = run('ask', { agentId: clerk, message: 'Pay' }, { timeoutMs });
  const executionId = await home.execute(await home.deploy({ nodes: [ask] }));
  await home.until(executionId, isWaiting);
  // Longer than the step's whole timeout: shows that its timer is stopped.
  await new Promise((resolve) => setTimeout(resolve, timeoutMs + 1_000));
  expect(await home.read(executionId)).toMatchObject({ status: 'WAITING' });
  const answering = answer(home, executionId, true).catch(() => undefined);
  await poll(() => requestsOf(home, 'clerk').length, PATIENCE).toBe(2);
  expect(stepOf(await home.ended(executionId), 'ask').error).toMatchObject({ code: 'TIMEOUT' });
  await requestsOf(home, 'clerk')[1]?.ended;
  expect(requestsOf(home, 'clerk')[1]?.aborted).toBe(true);
  await answering;
});

test.each(['cancel', 'terminate'])(
  '%s of a waiting execution ends the turn and leaves no approval behind',
  async (how) => {
    const { home, clerk } = await clerkAt();
    scriptAgents(home, { clerk: [pays('c')] });
    const executionId = await home.execute(
      await home.deploy({ nodes: [run('ask', { agentId: clerk, message: 'Pay' })] }),
    );
    await home.until(executionId, isWaiting);
    const { taskId } = stepOf(await home.read(executionId), 'ask').awaitedApproval;
    await home.api('POST', `/api/executions/${executionId}/${how}`, { body: {} });
    expect((await home.ended(executionId)).status).toBe('CANCELLED');
    await poll(async () => (await home.turn(taskId)).status, PATIENCE).toBe('STOPPED');
    const { body } = await home.api('GET', `/api/tasks?filterBy=status:NEEDS_APPROVAL`);
    expect(body).toEqual([]);
    expect((await home.messages(taskId)).at(-1).parts.at(-1)).toMatchObject({ state: 'output-denied' });
  },
);

async function bossAt() {
  const { home, clerk } = await clerkAt();
  const boss = await home.agent({ instructions: 'boss', subAgentIds: [clerk] });
  const { slug } = await home.database.agent.findUniqueOrThrow({ where: { id: clerk } });
  const asks = (id: string) => callTools({ id, name: `agent_${slug}`, arguments: { message: 'Pay' } });
  const more = { timeoutMs: 60_000 };
  const executionId = async () =>
    home.execute(await home.deploy({ nodes: [run('ask', { agentId: boss, message: 'Go' }, more)] }));
  return { home, clerk, boss, asks, executionId };
}

test('a step waits for an approval of a sub-agent, whose answer reaches the calling agent', async () => {
  const { home, clerk, asks, executionId: start } = await bossAt();
  const { after, goOn } = gate();
  scriptAgents(home, {
    boss: [asks('b'), say('All done.')],
    clerk: [pays('c1'), [{ after }, ...pays('c2')], say('Paid twice.')],
  });
  const executionId = await start();
  expect((await home.until(executionId, isWaiting)).statusMessage).toBe('waits for an approval');
  const { awaitedApproval: asked, input } = stepOf(await home.read(executionId), 'ask');
  expect(asked.agentId).toBe(clerk);
  expect(asked.taskId).not.toBe(input.taskId);
  expect(await waitingIds(home)).toEqual([executionId]);
  expect(await home.turn(input.taskId)).toMatchObject({ status: 'RUNNING' });

  const answering = answer(home, executionId, true);
  await home.until(executionId, ({ status }) => status === 'RUNNING');
  goOn();
  await answering;
  await home.until(executionId, isWaiting);
  await answer(home, executionId, true);
  expect(stepOf(await home.ended(executionId), 'ask')).toMatchObject({
    status: 'COMPLETED',
    output: { text: 'All done.' },
  });
  const results = requestsOf(home, 'boss')[1]?.body.messages.at(-1);
  expect(results).toMatchObject({ role: 'tool', content: expect.stringContaining('Paid twice.') });
});

test('a step waits until the approvals of all parallel sub-agents are answered', async () => {
  const { home, asks, executionId: start } = await bossAt();
  home.provider.answerBy(({ body }) => {
    const isBoss = body.messages[0]?.content === 'boss';
    const hasResult = body.messages.at(-1)?.role === 'tool';
    if (isBoss) return hasResult ? say('Both.') : [...asks('b1'), ...asks('b2')];
    return hasResult ? say('Paid.') : pays(`c-${randomUUID()}`);
  });
  const executionId = await start();
  await home.until(executionId, isWaiting);
  const asking = async () =>
    (await home.api('GET', '/api/tasks?filterBy=status:NEEDS_APPROVAL&expansion=agent')).body as Loose[];
  await poll(async () => (await asking()).length, PATIENCE).toBe(2);
  for (const left of [1, 0]) {
    const [task] = await asking();
    await answerIn(home, { agentId: task.agent.id, taskId: task.id }, true);
    await poll(async () => (await asking()).length, PATIENCE).toBe(left);
  }
  expect(stepOf(await home.ended(executionId), 'ask')).toMatchObject({
    status: 'COMPLETED',
    output: { text: 'Both.' },
  });
});

test('cancelling the execution withdraws the approvals of a sub-agent', async () => {
  const { home, asks, executionId: start } = await bossAt();
  scriptAgents(home, { boss: [asks('b')], clerk: [pays('c')] });
  const executionId = await start();
  await home.until(executionId, isWaiting);
  const { awaitedApproval: asked, input } = stepOf(await home.read(executionId), 'ask');
  await home.api('POST', `/api/executions/${executionId}/cancel`, { body: {} });
  expect((await home.ended(executionId)).status).toBe('CANCELLED');
  const statuses = async () => [(await home.turn(input.taskId)).status, (await home.turn(asked.taskId)).status];
  await poll(statuses, PATIENCE).toEqual(['STOPPED', 'STOPPED']);
});

test('stopping a sub-agent during its approval lets the turn of the calling agent continue', async () => {
  const { home, clerk, asks, executionId: start } = await bossAt();
  scriptAgents(home, { boss: [asks('b'), say('Without it.')], clerk: [pays('c')] });
  const executionId = await start();
  await home.until(executionId, isWaiting);
  const { taskId } = stepOf(await home.read(executionId), 'ask').awaitedApproval;
  await home.api('POST', `/api/agents/${clerk}/tasks/${taskId}/stream-message/stop`, { body: {} });
  expect(stepOf(await home.ended(executionId), 'ask')).toMatchObject({ output: { text: 'Without it.' } });
});

test('steps in the iterations of a loop wait, each for its own approval', async () => {
  const { home, clerk } = await clerkAt();
  home.provider.answerBy(({ body }) =>
    body.messages.at(-1)?.role === 'tool' ? say('Paid.') : pays(`c-${randomUUID()}`),
  );
  const nodes = [
    control('each', 'forEach', { items: [1, 2, 3], concurrency: 3 }),
    run('ask', { agentId: clerk, message: '{{ string(loop.item) }}' }, { parentId: 'each' }),
  ];
  const executionId = await home.execute(await home.deploy({ nodes }));
  const waiting = async () =>
    ((await home.read(executionId)).executionPath as Loose[]).filter(({ awaitedApproval }) => awaitedApproval);
  await poll(async () => (await waiting()).length, PATIENCE).toBe(3);
  for (const { awaitedApproval } of await waiting()) await answerIn(home, awaitedApproval, true);
  expect((await home.ended(executionId)).status).toBe('COMPLETED');
});

test('a retry in a workflow of its own waits, too', async () => {
  const { home, clerk } = await clerkAt({ maxRetries: 0 });
  scriptAgents(home, { clerk: [[{ status: 400 }], pays('c'), say('Paid.')] });
  const retry = { maximumAttempts: 2, initialIntervalMs: 1 };
  const ask = run('ask', { agentId: clerk, message: 'Pay' }, { retry });
  const executionId = await home.execute(await home.deploy({ nodes: [ask] }));
  await home.until(executionId, ({ executionPath }) =>
    executionPath.some(({ awaitedApproval }: Loose) => awaitedApproval !== undefined),
  );
  await answer(home, executionId, true);
  expect(stepOf(await home.ended(executionId), 'ask')).toMatchObject({ status: 'COMPLETED', attempt: 2 });
});

test('storing or running a step that calls an agent requires agents:use and agents:read', async () => {
  const { home, clerk } = await clerkAt();
  const step = { appId: 'agent', actionId: 'run', inputs: { agentId: clerk, message: 'Pay' } };
  for (const [lacks, has] of [
    ['agents:read', 'agents:use'],
    ['agents:use', 'agents:read'],
  ] as const) {
    const { call } = await keyOf(home, has, 'workflows:write', 'executions:run');
    for (const [path, body] of [
      [`/api/projects/${home.projectId}/workflows/upsert`, { slug: 'asks', steps: [step] }],
      ['/api/runs', { steps: [step] }],
      ['/api/actions/run', step],
    ] as const) {
      expect(await call('POST', path, { body })).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN', detail: `The permission ${lacks} is missing` },
      });
    }
  }
});
