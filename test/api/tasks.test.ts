import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { TASK } from '../../prisma/store/task/resource.ts';
import { type Api, api } from '../setup/api/client.ts';
import { gate } from '../setup/jest/gate.ts';
import { say } from '../setup/providers/modelScript.ts';
import { type AgentHome, makeAgentHome } from '../setup/workspace/agentHome.ts';
import { grant, keyOf } from '../setup/workspace/grants.ts';
import { makeWorkspace, stackDatabase } from '../setup/workspace/workspace.ts';

let home: AgentHome;
let call: Api;
beforeEach(async () => {
  home = await makeAgentHome();
  call = home.api;
});

const create = (body: object | undefined, by: Api = call, agentId = home.agentId, query = '') =>
  by('POST', `/api/agents/${agentId}/tasks${query}`, body === undefined ? {} : { body });

const ids = (answer: { body: { id: string }[] }) => answer.body.map(({ id }) => id);

describe('a task', () => {
  test('is made without a body; has its default fields and those of an expansion', async () => {
    const made = await create(undefined);
    expect([made.status, made.body]).toEqual([
      201,
      { id: made.body.id, name: null, isStreaming: false, lastActivityAt: expect.any(String), latestRun: null },
    ]);
    expect((await call('GET', `/api/tasks/${made.body.id}`)).body).toEqual(made.body);
    const expanded = await create({ name: 'n' }, call, home.agentId, '?expansion=agent,project,customIdentifier');
    expect(expanded.body).toMatchObject({
      name: 'n',
      agent: { id: home.agentId },
      project: { id: home.projectId },
      customIdentifier: null,
    });
  });

  test('with a customIdentifier that a task of the agent has is that task, also of twenty at once', async () => {
    const customIdentifier = randomUUID();
    const made = await Promise.all(Array.from({ length: 20 }, () => create({ customIdentifier })));
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(ids({ body: made.map(({ body }) => body) })).size).toBe(1);
    const again = await create({ customIdentifier }, call, home.agentId, '?expansion=customIdentifier');
    expect(again.body).toMatchObject({ id: made[0]?.body.id, customIdentifier });
    const other = await create({ customIdentifier }, call, await home.agent());
    expect(other.body.id).not.toBe(made[0]?.body.id);
  });

  test('of an unknown agent is 404', async () => {
    expect((await create({}, call, randomUUID())).status).toBe(404);
  });

  test('changes name and description, by PUT too; other fields stay', async () => {
    const { id } = (await create({ name: 'before' })).body;
    const changed = await call('PATCH', `/api/tasks/${id}?expansion=description`, { body: { description: 'd' } });
    expect(changed.body).toMatchObject({ id, name: 'before', description: 'd' });
    expect(changed.body).not.toHaveProperty('activeStreamId');
    const put = await call('PUT', `/api/tasks/${id}?expansion=description`, { body: { name: 'after' } });
    expect(put.body).toMatchObject({ name: 'after', description: 'd' });
    expect((await call('PATCH', `/api/tasks/${id}`, { body: {} })).body).toMatchObject({ name: 'after' });
    expect((await call('PATCH', `/api/tasks/${id}`, { body: { agentId: id } })).status).toBe(400);
  });
});

describe('lists', () => {
  test('have the most recently updated first, of an agent or a project', async () => {
    const agentId = await home.agent();
    const [first, second] = [(await create({}, call, agentId)).body.id, (await create({}, call, agentId)).body.id];
    await call('PATCH', `/api/tasks/${first}`, { body: { name: 'changed' } });
    const listed = await call('GET', `/api/tasks?filterBy=agentId:${agentId}&includeType=all`);
    expect(listed.body).toEqual([
      { id: first, name: 'changed', isStreaming: false },
      { id: second, name: null, isStreaming: false },
    ]);
    expect(ids(await call('GET', `/api/tasks?filterBy=projectId:${home.projectId}&limit=1000`))).toContain(first);
    expect((await call('GET', `/api/tasks?filterBy=projectId:${randomUUID()}`)).body).toEqual([]);
    const paged = await call('GET', `/api/tasks?filterBy=agentId:${agentId}&limit=1`);
    expect([ids(paged), paged.headers.get('link')]).toEqual([[first], expect.stringContaining('rel="next"')]);
  });
});

describe('the rows after a turn', () => {
  test('messages, their times and usage, the latest run; all expansions at once', async () => {
    const taskId = randomUUID();
    home.provider.answer([...say('Hello'), { usage: { prompt: 3, completion: 2 } }]);
    expect((await home.send(taskId, 'Hi')).status).toBe(200);
    const expansion = Object.keys(TASK.fields).join(',');
    const { body } = await call('GET', `/api/tasks/${taskId}?expansion=${expansion}`);
    const [asked, answered] = body.messages;
    expect(body).toMatchObject({
      id: taskId,
      isStreaming: false,
      latestRun: {
        status: 'COMPLETED',
        finishReason: 'stop',
        usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
      },
      finishReason: 'stop',
      agent: { id: home.agentId },
      project: { id: home.projectId },
      customIdentifier: null,
      messageUsage: { [answered.id]: { inputTokens: 3, outputTokens: 2, totalTokens: 5 } },
    });
    expect(body).not.toHaveProperty('activeStreamId');
    expect(asked).toMatchObject({ role: 'user', parts: [{ type: 'text', text: 'Hi' }] });
    expect(answered.parts.filter(({ type }: { type: string }) => type === 'text')).toMatchObject([{ text: 'Hello' }]);
    expect(Object.keys(body.messageCreatedAt).sort()).toEqual([asked.id, answered.id].sort());
  });

  test('while it streams the read of one names the stream, and not the message', async () => {
    const taskId = randomUUID();
    const { after, goOn } = gate();
    home.provider.answer([...say('Hel'), { after }, ...say('lo')]);
    const sent = home.send(taskId, 'Hi');
    const run = await home.untilTurn(taskId, ({ sequence }) => sequence > 0);
    const { body } = await call('GET', `/api/tasks/${taskId}?expansion=messages`);
    expect(body).toMatchObject({
      isStreaming: true,
      activeStreamId: run.id,
      latestRun: { id: run.id, status: 'RUNNING' },
    });
    expect(body.messages.map(({ role }: { role: string }) => role)).toEqual(['user']);
    expect((await call('GET', `/api/tasks?filterBy=agentId:${home.agentId}`)).body).toContainEqual({
      id: taskId,
      name: null,
      isStreaming: true,
    });
    goOn();
    await sent;
  });

  test('a deletion answers the task, deletes its messages and ends a running turn', async () => {
    const taskId = randomUUID();
    home.provider.answer([...say('Hel'), { hang: true }]);
    const stream = await home.stream(taskId, {
      message: { id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
    });
    const run = await home.untilTurn(taskId, ({ sequence }) => sequence > 0);
    const asked = home.provider.requests.at(-1);
    const deleted = await call('DELETE', `/api/tasks/${taskId}`);
    expect([deleted.status, deleted.body]).toMatchObject([
      200,
      { id: taskId, isStreaming: true, latestRun: { id: run.id } },
    ]);
    expect((await call('GET', `/api/tasks/${taskId}`)).status).toBe(404);
    expect((await call('DELETE', `/api/tasks/${taskId}`)).status).toBe(404);
    expect(await stackDatabase().taskMessage.count({ where: { task: { clientId: taskId } } })).toBe(0);
    await asked?.ended;
    expect(asked?.aborted).toBe(true);
    // Without [DONE], because the turn has not ended.
    expect(await stream.done).toBe(false);
  });

  test('a deletion answers at once the callers that wait for a turn of the task', async () => {
    const taskId = randomUUID();
    home.provider.answer([...say('Hel'), { hang: true }]);
    const sent = home.send(taskId, 'Hi');
    await home.untilTurn(taskId, ({ sequence }) => sequence > 0);
    const queued = home.send(taskId, 'And');
    await home.untilTurn(taskId, ({ status }) => status === 'QUEUED');
    await call('DELETE', `/api/tasks/${taskId}`);
    for (const { status, body } of await Promise.all([sent, queued])) {
      expect([status, body.detail]).toEqual([404, 'The task was deleted during the turn']);
    }
  });
});

describe('a caller with agents:use and without agents:read', () => {
  test('makes, sees, changes and deletes tasks of its own alone', async () => {
    const theirs = (await create({ customIdentifier: 'same' })).body.id;
    const [one, two] = await Promise.all([keyOf(home, 'agents:use'), keyOf(home, 'agents:use')]);
    expect((await create({}, one.call)).status).toBe(404);
    for (const { id } of [one, two]) await grant(home, home.agentId, { apiKeyId: id });
    const own = (await create({ customIdentifier: 'same' }, one.call)).body.id;
    const others = (await create({ customIdentifier: 'same' }, two.call)).body.id;
    expect(new Set([theirs, own, others]).size).toBe(3);
    expect((await create({ customIdentifier: 'same' }, one.call)).body.id).toBe(own);
    expect((await create({ customIdentifier: 'same' })).body.id).toBe(theirs);
    expect(ids(await one.call('GET', '/api/tasks?includeType=all'))).toEqual([own]);
    for (const id of [theirs, others]) {
      expect((await one.call('GET', `/api/tasks/${id}`)).status).toBe(404);
      expect((await one.call('PATCH', `/api/tasks/${id}`, { body: { name: 'mine' } })).status).toBe(404);
      expect((await one.call('DELETE', `/api/tasks/${id}`)).status).toBe(404);
    }
    expect((await one.call('PATCH', `/api/tasks/${own}`, { body: { name: 'mine' } })).body.name).toBe('mine');
    expect((await call('GET', `/api/tasks/${own}`)).body.name).toBe('mine');
    expect((await one.call('DELETE', `/api/tasks/${own}`)).status).toBe(200);
  });

  test('a reader sees all and writes nothing', async () => {
    const { id } = (await create({})).body;
    const reader = await keyOf(home, 'agents:read');
    expect((await reader.call('GET', `/api/tasks/${id}`)).status).toBe(200);
    expect((await reader.call('PATCH', `/api/tasks/${id}`, { body: { name: 'n' } })).status).toBe(403);
    expect((await reader.call('DELETE', `/api/tasks/${id}`)).status).toBe(403);
    expect((await create({}, reader.call)).status).toBe(403);
  });

  test('of concurrent messages no more than the cap are accepted, and the others get Retry-After', async () => {
    const agentId = await home.agent();
    const user = await keyOf(home, 'agents:use');
    await grant(home, agentId, { apiKeyId: user.id }, { hourlyMessageCap: 3 });
    home.provider.answerBy(() => say('Yes'));
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        user.call('POST', `/api/agents/${agentId}/tasks/${randomUUID()}/message`, {
          body: { message: { id: randomUUID(), role: 'user', parts: [{ type: 'text', text: 'Hi' }] } },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
    const refused = answers.find(({ status }) => status === 429);
    const seconds = Number(refused?.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(3500);
    expect(seconds).toBeLessThanOrEqual(3600);
    // Deleting a task deletes its messages, but not their count.
    for (const id of ids(await user.call('GET', '/api/tasks'))) await user.call('DELETE', `/api/tasks/${id}`);
    const path = `/api/agents/${agentId}/tasks/${randomUUID()}/message`;
    const body = { message: { id: randomUUID(), role: 'user', parts: [{ type: 'text', text: 'Hi' }] } };
    expect((await user.call('POST', path, { body })).status).toBe(429);
    await stackDatabase().$executeRaw`UPDATE grant_messages SET accepted_at = accepted_at - interval '1 hour'
      WHERE grant_id IN (SELECT id FROM share_grants WHERE agent_id = ${agentId}::uuid)`;
    expect((await user.call('POST', path, { body })).status).toBe(200);
  });
});

test('a task of another workspace is as one that does not exist', async () => {
  const other = await makeWorkspace();
  const theirs = api(other.url, other.apiKey);
  const { id } = (await create({})).body;
  for (const method of ['GET', 'DELETE']) expect((await theirs(method, `/api/tasks/${id}`)).status).toBe(404);
  expect(ids(await theirs('GET', '/api/tasks'))).toEqual([]);
});
