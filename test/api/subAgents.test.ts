import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, makeAgentHome, userMessage } from '../setup/workspace/agentHome.ts';
import { requestsOf, scriptAgents } from '../setup/workspace/agentScripts.ts';
import { grant, keyOf } from '../setup/workspace/grants.ts';

async function upserted(home: AgentHome, slug: string, settings: object = {}) {
  const body = { slug, name: slug, instructions: slug, model: 'm', aiConnectionId: home.connectionId, ...settings };
  const answer = await home.api('POST', `/api/projects/${home.projectId}/agents/upsert`, { body });
  return { status: answer.status, id: answer.body.id as string, errors: answer.body.errors };
}

const send = (home: AgentHome, agentId: string, taskId: string, call = home.api) =>
  call('POST', `/api/agents/${agentId}/tasks/${taskId}/message`, {
    body: { message: userMessage('Do it', randomUUID()) },
  });

const ask = (id: string, name: string, message = 'Look it up') => callTools({ id, name, arguments: { message } });

// biome-ignore lint/suspicious/noExplicitAny: stored as the model got it
type Loose = any;

async function callPart(home: AgentHome, taskId: string, toolCallId: string): Promise<Loose> {
  const messages = await home.messages(taskId);
  return messages.flatMap(({ parts }) => parts as Loose[]).find((part) => part.toolCallId === toolCallId);
}

test('a sub-agent is a tool: its turn is a task of its own, its last text the result, its tokens are counted', async () => {
  const home = await makeAgentHome();
  const clerk = await upserted(home, 'clerk', { description: 'Knows orders' });
  const boss = await upserted(home, 'boss', { subAgentIds: [clerk.id] });
  const usage = (prompt: number) => ({ usage: { prompt, completion: 1 } });
  scriptAgents(home, {
    boss: [
      [...ask('wrong', 'agent_clerk', ''), ...[usage(10)]],
      [...ask('c', 'agent_clerk'), usage(10)],
      [...say('Seven'), usage(10)],
    ],
    clerk: [[...say('It is 7'), usage(100)]],
  });
  const taskId = randomUUID();
  expect((await send(home, boss.id, taskId)).status).toBe(200);
  expect(requestsOf(home, 'boss')[0]?.body.tools).toMatchObject([
    { function: { name: 'agent_clerk', description: expect.stringContaining('Knows orders') } },
  ]);
  expect(await callPart(home, taskId, 'wrong')).toMatchObject({
    errorText: expect.stringContaining('message: expected'),
  });
  const { output } = await callPart(home, taskId, 'c');
  expect(output).toEqual({ taskId: expect.any(String), text: 'It is 7' });
  expect(requestsOf(home, 'clerk').map(({ body }) => body.messages.slice(1))).toEqual([
    [{ role: 'user', content: 'Look it up' }],
  ]);
  expect(await home.turn(taskId)).toMatchObject({ status: 'COMPLETED', usage: { inputTokens: 130, totalTokens: 134 } });
  const found = await home.api('GET', `/api/tasks?filterBy=parentTaskId:${taskId}&expansion=parentTask,agent`);
  expect(found.body).toMatchObject([{ id: output.taskId, parentTask: { id: taskId }, agent: { id: clerk.id } }]);
  await home.api('DELETE', `/api/tasks/${taskId}`);
  expect((await home.api('GET', `/api/tasks/${output.taskId}`)).status).toBe(404);
});

test('stopping a turn stops the agent that it waits for, and the call of its provider', async () => {
  const home = await makeAgentHome();
  const clerk = await upserted(home, 'clerk');
  const boss = await upserted(home, 'boss', { subAgentIds: [clerk.id] });
  scriptAgents(home, { boss: [ask('c', 'agent_clerk')], clerk: [[...say('It'), { hang: true }]] });
  const taskId = randomUUID();
  const sent = send(home, boss.id, taskId);
  await poll(() => requestsOf(home, 'clerk')[0]?.sent, { timeout: 30_000, interval: 50 }).toBe('It');
  await home.api('POST', `/api/agents/${boss.id}/tasks/${taskId}/stream-message/stop`, { body: {} });
  await requestsOf(home, 'clerk')[0]?.ended;
  await sent;
  expect(requestsOf(home, 'clerk')[0]?.aborted).toBe(true);
  expect(await home.turn(taskId)).toMatchObject({ status: 'STOPPED' });
  const child = await home.database.taskRun.findFirstOrThrow({ where: { parentRun: { task: { clientId: taskId } } } });
  expect(child).toMatchObject({ status: 'STOPPED' });
});

test('the calling agent receives the failure or the question of a sub-agent', async () => {
  const home = await makeAgentHome();
  const clerk = await upserted(home, 'clerk', {
    tools: [{ appId: 'testing', actionId: 'succeed', policy: 'approve' }],
  });
  const boss = await upserted(home, 'boss', { subAgentIds: [clerk.id] });
  scriptAgents(home, {
    boss: [[...ask('fails', 'agent_clerk')], [...ask('asks', 'agent_clerk')], say('So be it')],
    clerk: [[{ status: 400 }], callTools({ id: 't', name: 'testing_succeed', arguments: {} }), say('Done')],
  });
  const taskId = randomUUID();
  await send(home, boss.id, taskId);
  expect(await callPart(home, taskId, 'fails')).toMatchObject({
    state: 'output-error',
    errorText: /^The turn failed: /,
  });
  const { errorText } = await callPart(home, taskId, 'asks');
  const [, childTask] = /its task (\S+) once/.exec(errorText) ?? [];
  // It is an ordinary task, so the answer is sent to it.
  const parts = [{ type: 'tool-approval-response', approvalId: 'approve-t', approved: true }];
  const body = { message: { role: 'assistant', parts } };
  const answered = await home.api('POST', `/api/agents/${clerk.id}/tasks/${childTask}/message`, { body });
  expect(answered.body.messages[0].parts.at(-1)).toMatchObject({ text: 'Done' });
});

test('agents that would call each other are refused by the upsert, and by the call where they came to it otherwise', async () => {
  const home = await makeAgentHome();
  const c = await upserted(home, 'c');
  const b = await upserted(home, 'b', { subAgentIds: [c.id] });
  const a = await upserted(home, 'a', { subAgentIds: [b.id] });
  const refused = await upserted(home, 'c', { subAgentIds: [a.id] });
  expect([refused.status, refused.errors]).toMatchObject([400, [{ path: 'subAgentIds[0]' }]]);
  expect((await upserted(home, 'c', { subAgentIds: [c.id] })).status).toBe(400);

  const { definition } = await home.database.agent.findUniqueOrThrow({ where: { id: c.id } });
  const changed = { ...(definition as object), subAgentIds: [a.id] };
  await home.database.agent.update({ where: { id: c.id }, data: { definition: changed } });
  scriptAgents(home, {
    a: [ask('1', 'agent_b'), say('a')],
    b: [ask('2', 'agent_c'), say('b')],
    c: [ask('3', 'agent_a'), say('c')],
  });
  const taskId = randomUUID();
  expect((await send(home, a.id, taskId)).status).toBe(200);
  const call = await home.database.runToolCall.findFirstOrThrow({
    where: { toolCallId: '3', run: { workspaceId: home.workspaceId } },
  });
  expect(call).toMatchObject({ status: 'FAILED', error: 'Agents call each other: a → b → c → a' });
});

test('agents call each other AGENT_MAX_DEPTH deep', async () => {
  const home = await makeAgentHome();
  let below: string[] = [];
  for (const slug of ['f', 'e', 'd', 'c', 'b', 'a']) below = [(await upserted(home, slug, { subAgentIds: below })).id];
  const scripts = Object.fromEntries(
    [...'abcde'].map((slug, index) => [slug, [ask(slug, `agent_${'bcdef'[index]}`), say(slug)]]),
  );
  scriptAgents(home, { ...scripts, f: [say('never')] });
  await send(home, below[0] as string, randomUUID());
  const calls = await home.database.runToolCall.findMany({
    where: { run: { workspaceId: home.workspaceId } },
    orderBy: { toolCallId: 'asc' },
  });
  expect(calls.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED', 'COMPLETED', 'FAILED']);
  expect(calls[4]?.error).toContain('at most 5 deep (AGENT_MAX_DEPTH): a → b → c → d → e → f');
  expect(requestsOf(home, 'f')).toEqual([]);
});

test('a caller with access to one agent gets the answer of its sub-agent, and not its task; no grant pays for it', async () => {
  const home = await makeAgentHome();
  const clerk = await upserted(home, 'clerk');
  const boss = await upserted(home, 'boss', { subAgentIds: [clerk.id] });
  const { id: apiKeyId, call } = await keyOf(home, 'agents:use');
  await grant(home, boss.id, { apiKeyId }, { hourlyMessageCap: 1 });
  scriptAgents(home, { boss: [ask('c', 'agent_clerk'), say('Seven')], clerk: [say('It is 7')] });
  const taskId = randomUUID();
  expect((await send(home, boss.id, taskId, call)).status).toBe(200);
  const { output } = await callPart(home, taskId, 'c');
  expect(output.text).toBe('It is 7');
  expect((await call('GET', '/api/tasks')).body).toMatchObject([{ id: taskId }]);
  expect((await call('GET', `/api/tasks/${output.taskId}`)).status).toBe(404);
  expect((await send(home, clerk.id, output.taskId, call)).status).toBe(404);
});

test('a sub-agent whose tool would be named as an action is refused', async () => {
  const home = await makeAgentHome();
  const run = await upserted(home, 'run');
  const tools = [{ appId: 'agent', actionId: 'run', inputs: {} }];
  expect(await upserted(home, 'boss', { subAgentIds: [run.id], tools })).toMatchObject({
    status: 400,
    errors: [{ path: 'subAgentIds[0]', message: expect.stringContaining('agent_run, like that of agent.run') }],
  });
  expect((await upserted(home, 'boss', { subAgentIds: [run.id] })).status).toBe(200);
});
