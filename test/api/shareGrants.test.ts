import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { grant, keyOf, type TestKey } from '../setup/workspace/grants.ts';
import { makeWorkspace, stackDatabase } from '../setup/workspace/workspace.ts';

async function shared() {
  const workspace = await makeWorkspace();
  const own = api(workspace.url, workspace.apiKey);
  const upserted = await own('POST', `/api/projects/${workspace.projectId}/agents/upsert`, {
    body: { slug: 'helper', instructions: 'Help.', model: 'small' },
  });
  const agentId: string = upserted.body.id;
  const consumer = await keyOf(workspace, 'agents:use');
  const subject = { type: 'apiKey', id: consumer.id };
  const grants = `/api/agents/${agentId}/grants`;
  return { own, agentId, consumer, subject, grants };
}

test('a caller with only agents:use sees an agent from its grant until the revocation', async () => {
  const { own, agentId, consumer, subject, grants } = await shared();
  const see = async () => (await consumer.call('GET', `/api/agents/${agentId}`)).status;
  expect(await see()).toBe(404);
  const made = await own('POST', grants, { body: { subject } });
  expect(made).toMatchObject({ status: 201, body: { agentId, subject, hourlyMessageCap: 60, expiresAt: null } });
  expect(await see()).toBe(200);
  expect((await own('GET', grants)).body).toEqual([made.body]);
  expect((await own('DELETE', `${grants}/${made.body.id}`)).body).toEqual({ id: made.body.id, deleted: true });
  expect(await see()).toBe(404);
  expect((await own('DELETE', `${grants}/${made.body.id}`)).status).toBe(404);
  expect((await own('GET', grants)).body).toEqual([]);
});

test('a subject has one valid grant; an expired one makes room', async () => {
  const { own, subject, grants } = await shared();
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const first = await own('POST', grants, { body: { subject, expiresAt, hourlyMessageCap: 5 } });
  expect(first).toMatchObject({ status: 201, body: { expiresAt, hourlyMessageCap: 5 } });
  expect(await own('POST', grants, { body: { subject } })).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT', errors: [{ path: 'subject', message: expect.any(String) }] },
  });
  await stackDatabase().shareGrant.update({ where: { id: first.body.id }, data: { expiresAt: new Date() } });
  const second = await own('POST', grants, { body: { subject } });
  expect(second.status).toBe(201);
  expect((await own('GET', grants)).body).toEqual([second.body]);
});

test('of twenty concurrent grants of an agent to one subject one succeeds', async () => {
  const { own, subject, grants } = await shared();
  const answers = await Promise.all(Array.from({ length: 20 }, () => own('POST', grants, { body: { subject } })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
});

test('subjects are of the workspace, and times in the future', async () => {
  const { own, subject, grants } = await shared();
  const stranger = await keyOf(await makeWorkspace(), 'agents:use');
  const users = await stackDatabase().user.findFirstOrThrow({ where: { email: (await makeWorkspace()).email } });
  for (const foreign of [
    { type: 'apiKey', id: stranger.id },
    { type: 'user', id: users.id },
    { type: 'user', id: randomUUID() },
    { ...subject, type: 'user' },
  ]) {
    expect(await own('POST', grants, { body: { subject: foreign } })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'subject.id', message: expect.any(String) }] },
    });
  }
  const past = await own('POST', grants, { body: { subject, expiresAt: '2020-01-01T00:00:00.000Z' } });
  expect(past).toMatchObject({ status: 400, body: { errors: [{ path: 'expiresAt', message: expect.any(String) }] } });
  expect((await own('GET', grants)).body).toEqual([]);
});

test('a caller with a grant on an agent cannot share it', async () => {
  const { own, consumer, subject, grants } = await shared();
  await own('POST', grants, { body: { subject } });
  expect((await consumer.call('POST', grants, { body: { subject } })).status).toBe(403);
  expect((await consumer.call('GET', grants)).status).toBe(403);
});

test('an answer under an Idempotency-Key of a caller with a grant is not given to another one', async () => {
  const workspace = await makeWorkspace();
  const own = api(workspace.url, workspace.apiKey);
  const agent = { slug: 'helper', instructions: 'Help.', model: 'small' };
  const { body } = await own('POST', `/api/projects/${workspace.projectId}/agents/upsert`, { body: agent });
  const granted = [await keyOf(workspace, 'agents:use'), await keyOf(workspace, 'agents:use')] as const;
  for (const { id } of granted) await grant(workspace, body.id, { apiKeyId: id });
  const make = ({ call }: Pick<TestKey, 'call'>, key = 'order-1') =>
    call('POST', `/api/agents/${body.id}/tasks`, { headers: { 'idempotency-key': key }, body: {} });

  const first = await make(granted[0]);
  const second = await make(granted[1]);
  expect(second).toMatchObject({ status: 201, body: { id: expect.not.stringMatching(first.body.id) } });
  expect((await granted[1].call('GET', `/api/tasks/${second.body.id}`)).status).toBe(200);
  expect((await make(granted[0])).body).toEqual(first.body);
  expect((await make(await keyOf(workspace, 'agents:use'))).status).toBe(404);

  // Even a caller with all permissions gets its own tasks under this stored form of the key.
  for (const between of [' ', '\\n', '%0A', '\t']) {
    const spelled = await make({ call: own }, `${granted[0].id}${between}order-1`);
    expect(spelled.status).toBe(201);
    expect(spelled.headers.get('idempotency-replayed')).toBeNull();
    expect(spelled.body.id).not.toBe(first.body.id);
  }
  const before = await make({ call: own }, `${granted[0].id} order-2`);
  const after = await make(granted[0], 'order-2');
  expect(after).toMatchObject({ status: 201, body: { id: expect.not.stringMatching(before.body.id) } });
});
