import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { derivedId } from '../../domain/derivedId.ts';
import type { Api } from '../setup/api/client.ts';
import { gate } from '../setup/jest/gate.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, makeAgentHome, readTurn, textOf, userMessage } from '../setup/workspace/agentHome.ts';
import { scriptAgents } from '../setup/workspace/agentScripts.ts';
import { grant, keyOf } from '../setup/workspace/grants.ts';

// Clients choose task ids. An id names a task of one agent: no caller can occupy ids of others or discover them.

const pathOf = (agentId: string, taskId: string) => `/api/agents/${agentId}/tasks/${taskId}`;

function send(call: Api, agentId: string, taskId: string, text = 'Hi') {
  return call('POST', `${pathOf(agentId, taskId)}/message`, { body: { message: userMessage(text) } });
}

async function answering(says: string): Promise<AgentHome> {
  const home = await makeAgentHome();
  home.provider.answerBy(() => say(says));
  return home;
}

const saidIn = (body: { messages: { role: string; parts: { text?: string }[] }[] }) =>
  body.messages.flatMap(({ role, parts }) => (role === 'assistant' ? parts.flatMap(({ text }) => text ?? []) : []));

const newId = (name: string) => `${name}-${randomUUID().slice(0, 8)}`;

describe('two workspaces', () => {
  test('have tasks of one id, and neither sees that the other has it', async () => {
    const [one, two] = [await answering('of one'), await answering('of two')];
    const taskId = newId('ticket');
    expect((await send(two.api, two.agentId, taskId)).status).toBe(200);
    const made = await send(one.api, one.agentId, taskId);
    expect([made.status, saidIn(made.body)]).toEqual([200, ['of one']]);
    for (const [home, says] of [
      [one, 'of one'],
      [two, 'of two'],
    ] as const) {
      const { body } = await home.api('GET', `/api/tasks/${taskId}?expansion=messages,agent`);
      expect([saidIn(body), body.agent.id]).toEqual([[says], home.agentId]);
    }
    await two.api('DELETE', `/api/tasks/${taskId}`);
    expect((await one.api('GET', `/api/tasks/${taskId}`)).status).toBe(200);
    expect((await two.api('GET', `/api/tasks/${taskId}`)).status).toBe(404);
  });

  test('learn nothing by trying ids: one that another has is as one that nobody has', async () => {
    const [one, two] = [await answering('of one'), await answering('of two')];
    const taken = newId('ticket');
    await send(one.api, one.agentId, taken);
    const answers = [];
    for (const taskId of [taken, newId('ticket')]) {
      const place = pathOf(two.agentId, taskId);
      const approval = {
        role: 'assistant',
        parts: [{ type: 'tool-approval-response', approvalId: 'a', approved: true }],
      };
      answers.push([
        (await two.api('POST', `${place}/message`, { body: { message: approval } })).status,
        (await two.api('GET', `${place}/stream-message`)).status,
        (await two.api('POST', `${place}/stream-message/stop`, { body: {} })).status,
        (await two.api('GET', `/api/tasks/${taskId}?agentId=${one.agentId}`)).status,
        (await send(two.api, one.agentId, taskId)).body.detail,
        (await send(two.api, two.agentId, taskId)).status,
      ]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toEqual([404, 404, 404, 404, 'The agent does not exist', 200]);
  });
});

describe('two agents of a workspace', () => {
  test('have tasks of one id; a path that names no agent is 409 with both, and agentId says which', async () => {
    const home = await answering('Yes');
    const other = await home.agent();
    const taskId = newId('main');
    for (const agentId of [home.agentId, other])
      expect((await send(home.api, agentId, taskId, agentId)).status).toBe(200);
    const agents = [home.agentId, other].sort();
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { name: 'n' }],
      ['DELETE', undefined],
    ] as const) {
      const refused = await home.api(method, `/api/tasks/${taskId}`, body === undefined ? {} : { body });
      expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
      expect(refused.body.agents.map(({ id }: { id: string }) => id).sort()).toEqual(agents);
      expect(refused.body.agents).toContainEqual({ id: other, name: 'Agent' });
      expect(refused.body.errors).toContainEqual({ path: 'agentId', message: `${other} (Agent) has such a task` });
    }
    const named = (agentId: string, query = '') => `/api/tasks/${taskId}?agentId=${agentId}${query}`;
    await home.api('PATCH', named(other), { body: { name: 'of the other' } });
    const read = await home.api('GET', named(home.agentId, '&expansion=messages,agent'));
    expect(read.body).toMatchObject({ id: taskId, name: null, agent: { id: home.agentId } });
    expect(read.body.messages[0].parts).toEqual([{ type: 'text', text: home.agentId }]);
    expect((await home.api('GET', named(other))).body.name).toBe('of the other');
    expect((await home.api('GET', named(randomUUID()))).status).toBe(404);
    expect((await home.api('GET', `/api/tasks/${taskId}?agentId=x`)).status).toBe(400);
    expect((await home.api('DELETE', named(other))).body.id).toBe(taskId);
    expect((await home.api('GET', `/api/tasks/${taskId}`)).body.name).toBeNull();
  });

  test('run, stream, resume and stop turns of such tasks side by side', async () => {
    const home = await makeAgentHome();
    const other = await home.agent({ instructions: 'other' });
    const isOther = (body: { messages: { content: unknown }[] }) => body.messages[0]?.content === 'other';
    home.provider.answerBy(({ body }) => [...say(isOther(body as never) ? 'other' : 'first'), { hang: true }]);
    const taskId = newId('main');
    const message = userMessage('Hi', 'm1');
    const place = (agentId: string) => `${pathOf(agentId, taskId)}/stream-message`;
    const streams = [];
    for (const agentId of [home.agentId, other]) {
      streams.push(await readTurn(home, 'POST', place(agentId), { body: { message } }));
    }
    const [first, second] = streams;
    while (textOf(first?.chunks ?? []) !== 'first' || textOf(second?.chunks ?? []) !== 'other')
      await new Promise((resolve) => setTimeout(resolve, 20));
    const resumed = await readTurn(home, 'GET', place(other), {});
    expect((await home.api('POST', `${place(other)}/stop`, { body: {} })).body).toEqual({ stopped: true });
    expect([await second?.done, await resumed.done]).toEqual([true, true]);
    expect(textOf(resumed.chunks)).toBe('other');
    const still = await home.api('GET', `/api/tasks/${taskId}?agentId=${home.agentId}`);
    expect(still.body).toMatchObject({ isStreaming: true, latestRun: { status: 'RUNNING' } });
    await home.api('POST', `${place(home.agentId)}/stop`, { body: {} });
    expect(await first?.done).toBe(true);
    expect(textOf(first?.chunks ?? [])).toBe('first');
  });

  test('have their children and executions found by the agent and the id', async () => {
    const home = await makeAgentHome({ tools: [{ appId: 'testing', actionId: 'succeed' }] as never });
    const other = await home.agent();
    const taskId = newId('main');
    home.provider.answerBy(({ body }) =>
      body.messages.at(-1)?.role === 'tool'
        ? say('Done')
        : callTools({ id: 'c', name: 'testing_succeed', arguments: {} }),
    );
    for (const agentId of [home.agentId, other]) await send(home.api, agentId, taskId);
    const found = async (value: string) =>
      (await home.api('GET', `/api/executions?filterBy=taskId:${value}`)).body.length;
    expect([await found(taskId), await found(`${other}/${taskId}`), await found(`${randomUUID()}/${taskId}`)]).toEqual([
      2, 1, 0,
    ]);
    expect((await home.api('GET', `/api/executions?filterBy=taskId:x/${taskId}`)).body.code).toBe('VALIDATION_FAILED');
  });
});

describe('a caller with a grant', () => {
  test('learns of its own tasks and of agents that it sees alone', async () => {
    const home = await answering('Yes');
    const [hidden, seen, lost] = [await home.agent(), await home.agent(), await home.agent()];
    const { id, call } = await keyOf(home, 'agents:use');
    for (const agentId of [home.agentId, seen, lost]) await grant(home, agentId, { apiKeyId: id });
    const taskId = newId('case');
    await send(home.api, hidden, taskId);
    await send(call, seen, taskId);
    expect((await call('GET', `/api/tasks/${taskId}`)).status).toBe(200);
    expect((await call('GET', `/api/tasks/${taskId}?agentId=${hidden}`)).status).toBe(404);
    expect((await send(call, hidden, taskId)).status).toBe(404);
    for (const agentId of [home.agentId, lost]) await send(call, agentId, taskId);
    await home.database.shareGrant.deleteMany({ where: { agentId: lost } });
    const { body } = await call('GET', `/api/tasks/${taskId}`);
    expect(body.agents.map((agent: { id: string }) => agent.id).sort()).toEqual([home.agentId, seen].sort());
    expect((await home.api('GET', `/api/tasks/${taskId}`)).body.agents).toHaveLength(4);
  });

  test('learns nothing of the approvals of a conversation that is not its own', async () => {
    const tools = [{ appId: 'testing', actionId: 'succeed', policy: 'approve' }] as never;
    const home = await makeAgentHome({ tools });
    home.provider.answerBy(() => callTools({ id: 'c', name: 'testing_succeed', arguments: {} }));
    const { id, call } = await keyOf(home, 'agents:use');
    await grant(home, home.agentId, { apiKeyId: id });
    const taskId = newId('theirs');
    await send(home.api, home.agentId, taskId);
    expect(await home.turn(taskId)).toMatchObject({ status: 'NEEDS_APPROVAL' });
    const parts = [{ type: 'tool-approval-response', approvalId: 'guess', approved: true }];
    for (const task of [taskId, newId('nobodys')]) {
      const body = { message: { role: 'assistant', parts } };
      const refused = await call('POST', `${pathOf(home.agentId, task)}/message`, { body });
      expect([refused.status, refused.body.detail]).toEqual([404, 'The task does not exist']);
    }
  });

  test('does not read what a sub-agent is asked by taking the id of its task first', async () => {
    const home = await makeAgentHome();
    const clerk = await home.agent({ instructions: 'clerk' });
    const boss = await home.agent({ instructions: 'boss', subAgentIds: [clerk] });
    const { id, call } = await keyOf(home, 'agents:use');
    await grant(home, clerk, { apiKeyId: id });
    const { after, goOn } = gate();
    scriptAgents(home, {
      boss: [
        [{ after }, ...callTools({ id: 'c', name: `agent_${clerk}`, arguments: { message: 'Tell me' } })],
        say('So be it'),
      ],
      clerk: [say('Yes'), say('A secret')],
    });
    const taskId = newId('outer');
    const sent = send(home.api, boss, taskId);
    // The turn id is known before the call is made, and so is the id of the other agent's task.
    const run = await home.untilTurn(taskId, ({ status }) => status === 'RUNNING');
    const squatted = derivedId(run.id, 'task c');
    await send(call, clerk, squatted, 'Mine');
    goOn();
    await sent;
    const read = await call('GET', `/api/tasks/${squatted}?expansion=messages`);
    expect(read.body.messages.map(({ parts }: { parts: { text?: string }[] }) => parts.at(-1)?.text)).toEqual([
      'Mine',
      'Yes',
    ]);
    const [, message] = await home.messages(taskId);
    expect(message?.parts[1]).toMatchObject({
      state: 'output-error',
      errorText: expect.stringContaining('has no task'),
    });
  });
});
