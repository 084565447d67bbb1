import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { poll } from '../setup/jest/poll.ts';
import { eventReceiver, verified } from '../setup/providers/eventReceiver.ts';
import { callTools } from '../setup/providers/modelScript.ts';
import { makeAgentHome } from '../setup/workspace/agentHome.ts';
import { scriptAgents } from '../setup/workspace/agentScripts.ts';
import { keyOf } from '../setup/workspace/grants.ts';
import { action, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const POLL = { timeout: 40_000, interval: 100 };
const PATH = '/api/event-subscriptions';
const ENDS = ['execution.completed', 'execution.failed', 'execution.timedOut', 'execution.cancelled'];
const done = action('done', 'core.set', { values: { a: 1 } });
const bad = action('bad', 'testing.fail', { message: 'the secret of the failure' });

async function subscribe(home: Pick<Home, 'api'>, url: string, events: string[], more: object = {}) {
  const made = await home.api('POST', PATH, { body: { url, events, ...more } });
  expect(made.status).toBe(201);
  const path = `${PATH}/${made.body.id}`;
  const deliveries = async (query = '') => (await home.api('GET', `${path}/deliveries${query}`)).body;
  return { ...made.body, path, deliveries };
}

test('a subscription is made, read, changed and deleted; its secret is shown once, and stored sealed', async () => {
  const home = await makeHome();
  const body = { url: 'https://hooks.example/x', events: ['execution.failed'] };
  const headers = { 'idempotency-key': 'one' };
  const made = await home.api('POST', PATH, { body, headers });
  expect(made.status).toBe(201);
  const { secret, ...shown } = made.body;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(shown).toEqual({
    ...{ id: expect.any(String), ...body, filterBy: null, isActive: true, disabledReason: null },
    ...{ createdAt: expect.any(String), updatedAt: expect.any(String) },
  });
  const again = await home.api('POST', PATH, { body, headers });
  expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([made.body, 'true']);
  const path = `${PATH}/${shown.id}`;
  expect((await home.api('GET', path)).body).toEqual(shown);
  expect((await home.api('GET', PATH)).body).toEqual([shown]);
  const change = { events: ['question.opened'], filterBy: `projectId:${home.projectId}`, isActive: false };
  for (const method of ['PATCH', 'PUT']) {
    const changed = await home.api(method, path, { body: change });
    expect(changed.body).toEqual({ ...shown, ...change, updatedAt: expect.any(String) });
  }
  expect((await home.api('PATCH', path, { body: {} })).body).toMatchObject(change);
  const own = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
  const given = await home.api('PATCH', path, { body: { secret: own, filterBy: null } });
  expect([given.body.filterBy, 'secret' in given.body]).toEqual([null, false]);

  const row = await stackDatabase().eventSubscription.findUniqueOrThrow({ where: { id: shown.id } });
  expect(Buffer.from(row.secret).toString('latin1')).not.toContain(own);
  const log = await home.api('GET', `/api/audit-log?filterBy=resourceType:eventSubscription`);
  expect(log.body.map((entry: { action: string }) => entry.action)).toEqual([
    ...['updateEventSubscription', 'updateEventSubscription', 'updateEventSubscription', 'updateEventSubscription'],
    'createEventSubscription',
  ]);
  expect(JSON.stringify(log.body)).not.toContain('whsec_');
  expect((await home.api('DELETE', path)).body).toEqual({ id: shown.id, deleted: true });
  expect((await home.api('GET', path)).status).toBe(404);
});

test.each([
  ['an address that is none', { url: 'hooks' }, 'url'],
  ['another scheme', { url: 'ftp://x.example' }, 'url'],
  ['plain http to a public host', { url: 'http://x.example/hook' }, 'url'],
  ['a user in the address', { url: 'https://a:b@x.example' }, 'url'],
  ['no events', { events: [] }, 'events'],
  ['an unknown event', { events: ['execution.started'] }, 'events[0]'],
  ['an unknown key', { filterBy: 'status:FAILED' }, 'filterBy'],
  ['a key that no event has', { filterBy: 'objectTypeSlug:x' }, 'filterBy'],
  ['a secret that is none', { secret: 'x' }, 'secret'],
])('%s is refused with its place, in a new one and in a change', async (_, wrong, path) => {
  const home = await makeHome();
  const body = { url: 'https://x.example', events: ['execution.failed'] };
  const made = await subscribe(home, body.url, body.events);
  for (const answer of [
    await home.api('POST', PATH, { body: { ...body, ...wrong } }),
    await home.api('PATCH', made.path, { body: wrong }),
  ]) {
    expect([answer.status, answer.body.errors?.[0].path]).toEqual([400, path]);
  }
  expect((await home.api('GET', PATH)).body).toHaveLength(1);
});

test('if only the events change, a filter that does not fit is reported at the events', async () => {
  const home = await makeHome();
  const made = await subscribe(home, 'https://x.example', ['object.changed'], { filterBy: 'objectTypeSlug:x' });
  const refused = await home.api('PATCH', made.path, { body: { events: ['execution.failed'] } });
  expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'events']);
});

test('every end of an execution is sent, signed, and its question before; without what people wrote', async () => {
  const home = await makeHome();
  const receiver = await eventReceiver();
  const made = await subscribe(home, receiver.url, [...ENDS, 'question.opened']);
  const ids: Record<string, string> = {
    'execution.completed': (await home.run({ nodes: [done] })).id,
    'execution.failed': (await home.run({ nodes: [bad] })).id,
  };
  const asking = await home.execute(await home.deploy({ nodes: [question('ask')] }));
  await home.asked(asking, 'ask');
  await home.api('POST', `/api/executions/${asking}/cancel`, { body: { reason: 'a reason of people' } });
  ids['execution.cancelled'] = asking;
  const slow = { nodes: [action('wait', 'testing.wait', { ms: 60_000 })], timeoutMs: 500 };
  ids['execution.timedOut'] = (await home.run(slow)).id;
  await poll(() => new Set(receiver.seen.map(({ id }) => id)).size, POLL).toBe(5);

  await verified(receiver.calls, made.secret);
  for (const [type, id] of Object.entries(ids)) {
    const event = receiver.seen.find((each) => each.type === type);
    expect(event).toMatchObject({ timestamp: expect.stringMatching(/^\d{4}-.*Z$/), data: { id } });
  }
  const failed = receiver.seen.find(({ type }) => type === 'execution.failed');
  expect(failed?.data).toMatchObject({
    ...{ status: 'FAILED', projectId: home.projectId, failedNodeId: 'bad', errorCode: expect.any(String) },
    ...{ workflowId: expect.any(String), number: expect.any(Number), startedAt: expect.any(String) },
  });
  const ofAsking = receiver.seen.filter(({ data }) => [data.id, data.executionId].includes(asking));
  expect(ofAsking.map(({ type }) => type)).toEqual(['question.opened', 'execution.cancelled']);
  expect(ofAsking[0]?.data).toMatchObject({ executionId: asking, nodeId: 'ask', stepId: expect.any(String) });
  for (const { body } of receiver.calls) expect(body).not.toMatch(/the secret of the failure|a reason of people/);
  expect(receiver.calls[0]).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });

  await poll(() => made.deliveries('?filterBy=status:delivered'), POLL).toHaveLength(5);
  const [newest] = await made.deliveries('?limit=1');
  expect(newest).toEqual({
    ...{ id: expect.any(String), type: expect.any(String), at: expect.any(String), attempts: 1 },
    ...{ status: 'delivered', statusCode: 204, nextAttemptAt: null },
  });
  const page = await home.api('GET', `${made.path}/deliveries?limit=2`);
  expect(page.headers.get('link')).toMatch(/cursor=.*rel="next"/);
});

test('delivers only events that match the filter, and none of another workspace', async () => {
  const [home, other] = [await makeHome(), await makeHome()];
  const receiver = await eventReceiver();
  const workflowId = await home.deploy({ nodes: [done] });
  const filterBy = `workflowId:${workflowId},projectId:${home.projectId}`;
  const made = await subscribe(home, receiver.url, ENDS, { filterBy });
  expect(made.filterBy).toBe(filterBy);
  await other.run({ nodes: [done] });
  await home.run({ nodes: [done] });
  const id = await home.execute(workflowId);
  await home.ended(id);
  await poll(() => made.deliveries('?filterBy=status:delivered'), POLL).toHaveLength(1);
  expect(receiver.seen.map(({ data }) => data.id)).toEqual([id]);
  expect(await made.deliveries()).toHaveLength(1);
});

test('items that fail, entities that change, connections that must be authorized, turns that ask', async () => {
  const home = await makeAgentHome();
  const receiver = await eventReceiver();
  const events = ['queueItem.failed', 'object.changed', 'connection.needsReconnect', 'turn.needsApproval'];
  const made = await subscribe(home, receiver.url, events);
  const sent = (type: string) => receiver.seen.filter((event) => event.type === type);

  const queue = await home.api('POST', `/api/queues?projectId=${home.projectId}`, {
    body: { name: 'q', maxRetries: 1 },
  });
  const items = `/api/queues/${queue.body.id}/items`;
  const item = await home.api('POST', items, { body: { data: {}, externalId: 'A-1' } });
  const fail = async () => {
    await home.api('PATCH', `${items}/${item.body.id}/status`, { body: { status: 'PROCESSING' } });
    return home.api('POST', `${items}/${item.body.id}/error`, { body: { error: 'a message of people' } });
  };
  await fail();
  await home.api('POST', `${items}/${item.body.id}/retry`);
  await fail();
  await poll(() => sent('queueItem.failed'), POLL).toMatchObject([
    { data: { id: item.body.id, queueId: queue.body.id, externalId: 'A-1', retryCount: 1 } },
  ]);

  const type = { slug: 'order', attributeSchema: { properties: { total: { type: 'number' } } } };
  await home.api('POST', '/api/object-types/upsert', { body: type });
  const object = await home.api('POST', '/api/objects', {
    body: { objectTypeSlug: 'order', name: 'a name of people', attributes: { total: 1 } },
  });
  await home.api('PATCH', `/api/objects/${object.body.id}`, { body: { attributes: { total: 2 } } });
  await home.api('DELETE', `/api/objects/${object.body.id}`);
  await poll(() => sent('object.changed').map(({ data }) => [data.id, data.kind, data.revision]), POLL).toEqual([
    [object.body.id, 'created', 1],
    [object.body.id, 'updated', 2],
    [object.body.id, 'deleted', 3],
  ]);
  expect(sent('object.changed')[0]?.data).toMatchObject({ objectTypeSlug: 'order' });

  await stackDatabase().connection.update({ where: { id: home.connectionId }, data: { status: 'needsReconnect' } });
  await poll(() => sent('connection.needsReconnect'), POLL).toMatchObject([{ data: { id: home.connectionId } }]);
  await stackDatabase().connection.update({ where: { id: home.connectionId }, data: { status: 'connected' } });

  const tools = [{ appId: 'http', actionId: 'request', policy: 'approve' }];
  const agent = await home.api('POST', `/api/projects/${home.projectId}/agents/upsert`, {
    body: { slug: 'clerk', instructions: 'clerk', model: 'm', aiConnectionId: home.connectionId, tools },
  });
  scriptAgents(home, {
    clerk: [callTools({ id: 'c', name: 'http_request', arguments: { url: receiver.url, method: 'GET' } })],
  });
  const message = { role: 'user', parts: [{ type: 'text', text: 'words of people' }] };
  await home.api('POST', `/api/agents/${agent.body.id}/tasks/t-1/message`, { body: { message } });
  await poll(() => sent('turn.needsApproval'), POLL).toMatchObject([
    { data: { taskId: 't-1', agentId: agent.body.id, projectId: home.projectId, runId: expect.any(String) } },
  ]);

  await verified(receiver.calls, made.secret);
  for (const { body } of receiver.calls) expect(body).not.toContain('of people');
  const turn = await made.deliveries('?filterBy=type:turn.needsApproval&expansion=subject,data');
  expect(turn).toMatchObject([{ subject: expect.stringMatching(/^task\//), data: { taskId: 't-1' } }]);
});

test('a failed attempt is repeated after some seconds under the same id, and a new secret signs from then on', async () => {
  const home = await makeHome();
  let status = 503;
  const receiver = await eventReceiver(() => status);
  const made = await subscribe(home, receiver.url, ['execution.completed']);
  await home.run({ nodes: [done] });
  await poll(() => made.deliveries(), POLL).toMatchObject([{ status: 'pending', attempts: 1, statusCode: 503 }]);
  const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
  await home.api('PATCH', made.path, { body: { secret } });
  status = 200;
  await poll(() => made.deliveries(), POLL).toMatchObject([{ status: 'delivered', attempts: 2, statusCode: 200 }]);
  expect(new Set(receiver.seen.map(({ id }) => id)).size).toBe(1);
  await verified(receiver.calls.slice(0, 1), made.secret);
  await verified(receiver.calls.slice(1), secret);
});

test('sends test events and replays like all others, and reports why an attempt got no answer', async () => {
  const home = await makeHome();
  const receiver = await eventReceiver();
  const made = await subscribe(home, receiver.url, ['execution.completed']);
  const tested = await home.api('POST', `${made.path}/test`);
  // It may be sent before the response is written.
  expect([tested.status, tested.body]).toMatchObject([202, { type: 'subscription.test' }]);
  await poll(() => made.deliveries(), POLL).toMatchObject([{ id: tested.body.id, status: 'delivered' }]);
  const { at } = tested.body;
  const until = new Date(Date.parse(at) + 1).toISOString();
  const replayed = await home.api('POST', `${made.path}/replay`, { body: { since: at, until } });
  expect(replayed.body).toEqual({ matched: 1, replayed: 1 });
  await poll(() => receiver.seen.map(({ id, type }) => [id, type]), POLL).toEqual([
    [tested.body.id, 'subscription.test'],
    [tested.body.id, 'subscription.test'],
  ]);
  await verified(receiver.calls, made.secret);

  // The connection itself rejects a private address, even behind https.
  await home.api('PATCH', made.path, { body: { url: 'https://10.0.0.1/hook' } });
  await home.api('POST', `${made.path}/test`);
  const refused = async () => (await made.deliveries('?expansion=error&limit=1'))[0];
  await poll(async () => (await refused()).attempts, POLL).toBe(1);
  expect(await refused()).toMatchObject({
    ...{ status: 'pending', statusCode: null, error: expect.stringContaining('10.0.0.1 is not a public host') },
  });
});

test('a caller without workspace:admin can neither read nor change subscriptions', async () => {
  const home = await makeHome();
  const made = await subscribe(home, 'https://x.example', ENDS);
  const { call } = await keyOf(home, 'executions:read', 'workflows:write');
  const stranger = await makeHome();
  for (const [method, path] of [
    ['GET', made.path],
    ['GET', `${made.path}/deliveries`],
    ['DELETE', made.path],
    ['POST', `${made.path}/test`],
  ] as const) {
    expect((await call(method, path)).status).toBe(403);
    expect((await api(stranger.url, stranger.apiKey)(method, path)).status).toBe(404);
  }
  expect((await home.api('GET', made.path)).status).toBe(200);
});
