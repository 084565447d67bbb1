import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { v7 } from 'uuid';
import { buildProviderFetch } from '../../activities/providers/providerFetch.ts';
import { ALL_BUCKETS } from '../../domain/buckets.ts';
import { sweepExpired } from '../../engine/duties/forget.ts';
import { EVERY_BUCKET } from '../../engine/duties/heldBuckets.ts';
import { EventDeliverer } from '../../engine/events/eventDeliverer.ts';
import { EventSender } from '../../engine/events/eventSender.ts';
import { DueFeed } from '../../engine/feeds/dueFeed.ts';
import { settleDelivery } from '../../prisma/store/eventDelivery/settleDelivery.ts';
import { takeDeliveries } from '../../prisma/store/eventDelivery/takeDeliveries.ts';
import { claimSubscriptions } from '../../prisma/store/eventSubscription/claimSubscriptions.ts';
import { type Api, api } from '../setup/api/client.ts';
import { lockWaits } from '../setup/database/lockWaits.ts';
import { insertOwnWorkspace } from '../setup/database/ownRows.ts';
import { withSessions } from '../setup/database/withSessions.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { poll } from '../setup/jest/poll.ts';
import { eventReceiver, verified } from '../setup/providers/eventReceiver.ts';
import { type OwnApi, startOwnApi } from '../setup/stack/ownApi.ts';

// Tests the outbox of events and its delivery without the engine: order, leases, limits.

const POLL = { timeout: 30_000, interval: 50 };
const LIMITS = { EVENT_SUBSCRIPTIONS_MAX: '40', EVENT_REPLAY_MAX: '4', HTTP_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' };

let own: OwnApi;
let call: Api;
beforeAll(async () => {
  own = await startOwnApi(LIMITS);
  call = api(own.url, own.apiKey);
});
afterAll(() => own?.dispose());

function deliverer({
  timeoutMs = 20_000,
  ...more
}: {
  atOnce?: number;
  subscriptionsAtOnce?: number;
  timeoutMs?: number;
} = {}): EventDeliverer {
  const { database, services } = own;
  const allowedPrivateHosts = ['127.0.0.1'];
  const made = new EventDeliverer({
    ...{ database, feed: new DueFeed(), buckets: EVERY_BUCKET, log: pino({ level: 'silent' }) },
    sender: new EventSender({
      sealer: services.sealer,
      fetchOf: buildProviderFetch({ allowedPrivateHosts }),
      ...{ allowedPrivateHosts, timeoutMs },
    }),
    ...{ atOnce: 4, subscriptionsAtOnce: 50, leaseMs: 30_000, drainMs: 100, ...more },
  });
  onTestFinished(() => made.stop());
  return made;
}

async function subscribe(url: string, more: object = {}): Promise<{ id: string; secret: string }> {
  const body = { url, events: ['object.changed'], ...more };
  const made = await call('POST', '/api/event-subscriptions', { body });
  expect(made.status).toBe(201);
  onTestFinished(async () => void (await call('DELETE', `/api/event-subscriptions/${made.body.id}`)));
  return made.body;
}

const note = (subject: string, data: object = {}, workspaceId = own.workspaceId) =>
  own.database.pool.query('SELECT note_event($1, $2, $3, $4, $5)', [
    ...[workspaceId, 'object.changed', subject, { objectTypeSlug: 'things' }, { subject, ...data }],
  ]);
const listed = async (id: string, more = '') =>
  (await call('GET', `/api/event-subscriptions/${id}/deliveries?expansion=subject,error${more}`)).body;
const makeDue = (id: string) =>
  own.database.pool.query(
    "UPDATE event_deliveries SET next_attempt_at = now() WHERE subscription_id = $1 AND status = 'pending'",
    [id],
  );

test('a workspace has at most EVENT_SUBSCRIPTIONS_MAX subscriptions, also where many are made at once', async () => {
  const body = { url: 'https://x.example', events: ['object.changed'] };
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => call('POST', '/api/event-subscriptions', { body })),
  );
  expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(40);
  expect(answers.find(({ status }) => status !== 201)?.body.code).toBe('CONFLICT');
  for (const { status, body: made } of answers) {
    if (status === 201) await call('DELETE', `/api/event-subscriptions/${made.id}`);
  }
});

test('events of a subject wait for the one before, others do not; ids stay, and everything is signed', async () => {
  let isDown = true;
  const receiver = await eventReceiver(({ data }) => (isDown && data.subject === 'a' ? 503 : 204));
  const { id, secret } = await subscribe(receiver.url);
  for (const subject of ['a', 'a', 'b', 'a', 'b']) await note(subject, { number: Math.random() });
  const deliverers = [deliverer(), deliverer()];
  const deliver = () => Promise.all(deliverers.map((each) => each.deliverDue()));
  await deliver();
  await poll(async () => (await listed(id, '&filterBy=status:delivered')).length, POLL).toBe(2);
  expect(receiver.seen.map(({ data }) => data.subject).sort()).toEqual(['a', 'b', 'b']);
  const waiting = await listed(id, '&filterBy=status:pending');
  expect(waiting.map(({ attempts, statusCode }: never) => [attempts, statusCode])).toEqual([
    [0, null],
    [0, null],
    [1, 503],
  ]);
  // Later events of the subject are due together with it, five seconds later.
  expect(new Set(waiting.map((each: { nextAttemptAt: string }) => each.nextAttemptAt)).size).toBe(1);
  const pauseMs = Date.parse(waiting[2].nextAttemptAt) - Date.parse(waiting[2].at);
  expect(pauseMs).toBeGreaterThanOrEqual(5_000);

  isDown = false;
  await makeDue(id);
  await deliver();
  await poll(async () => (await listed(id, '&filterBy=status:delivered')).length, POLL).toBe(5);
  const ofA = receiver.seen.filter(({ data }) => data.subject === 'a').map((event) => event.id);
  const inOrder = waiting.map((each: { id: string }) => each.id).reverse();
  expect(ofA).toEqual([inOrder[0], ...inOrder]);
  expect(receiver.seen).toHaveLength(6);
  await verified(receiver.calls, secret);
});

withSessions('an event that another one makes due while the deliverer looks for more goes at once', async () => {
  const answers = new Map<string, () => void>();
  const receiver = await eventReceiver(({ data }, response) => {
    answers.set(data.subject, () => response.writeHead(204).end());
    return undefined;
  });
  const { id } = await subscribe(receiver.url);
  for (const subject of ['a', 'b', 'b']) await note(subject);
  await deliverer().deliverDue();
  await poll(() => answers.size, POLL).toBe(2);
  const delivered = async () => (await listed(id, '&filterBy=status:delivered')).length;
  const client = await own.database.pool.connect();
  try {
    // A delivery pass starts by leasing the subscription.
    await client.query('BEGIN');
    await client.query('SELECT FROM event_subscriptions WHERE id = $1 FOR UPDATE', [id]);
    answers.get('a')?.();
    await poll(() => lockWaits(own.database), POLL).toBe(1);
    answers.get('b')?.();
    await poll(delivered, POLL).toBe(2);
    await client.query('COMMIT');
  } finally {
    client.release(true);
  }
  await poll(() => receiver.seen.length, POLL).toBe(3);
  answers.get('b')?.();
  await poll(delivered, POLL).toBe(3);
});

test('limits parallel deliveries of a subscription; a hanging one delays only its subject', async () => {
  const held: (() => void)[] = [];
  let most = 0;
  const receiver = await eventReceiver((_, response) => {
    held.push(() => response.writeHead(204).end());
    most = Math.max(most, held.length);
    return undefined;
  });
  const { id } = await subscribe(receiver.url);
  for (let subject = 0; subject < 6; subject += 1) await note(`${subject}`);
  await note('0');
  const delivering = deliverer({ atOnce: 2 });
  await delivering.deliverDue();
  const [first] = await poll(() => receiver.seen, POLL)
    .toHaveLength(2)
    .then(() => held.splice(0, 1));
  for (let answered = 0; answered < 5; answered += 1) {
    await poll(() => held.length, POLL).toBe(1);
    expect(receiver.seen).toHaveLength(2 + answered);
    held.splice(0, 1)[0]?.();
    await poll(async () => (await listed(id, '&filterBy=status:delivered')).length, POLL).toBe(answered + 1);
  }
  expect(receiver.seen.map(({ data }) => data.subject).sort()).toEqual(['0', '1', '2', '3', '4', '5']);
  first?.();
  await poll(() => held.length, POLL).toBe(1);
  held.splice(0, 1)[0]?.();
  await poll(async () => (await listed(id, '&filterBy=status:delivered')).length, POLL).toBe(7);
  expect(most).toBe(2);
});

test('one that another process has taken is nobody else’s until its lease ends; what the first writes then is void', async () => {
  const { database } = own;
  const receiver = await eventReceiver();
  const { id } = await subscribe(receiver.url);
  await note('a');
  const [dead, leaseMs] = [randomUUID(), 60_000];
  const claim = { holder: dead, buckets: ALL_BUCKETS, limit: 10, mostOfWorkspace: 10, held: new Map(), leaseMs };
  const mine = (await claimSubscriptions(database, claim)).find((each) => each.id === id);
  if (!mine) throw new Error('not claimed');
  const [taken] = (await takeDeliveries(database, mine, dead, { limit: 5, leaseMs })) ?? [];
  if (!taken) throw new Error('not taken');
  const delivering = deliverer();
  await delivering.deliverDue();
  expect(receiver.seen).toEqual([]);
  // A replay skips events that are being sent.
  const [since, until] = ['2000-01-01T00:00:00Z', '9000-01-01T00:00:00Z'];
  const replayed = await call('POST', `/api/event-subscriptions/${id}/replay`, { body: { since, until } });
  expect(replayed.body).toEqual({ matched: 0, replayed: 0 });

  await database.pool.query("UPDATE event_subscriptions SET held_until = now() - interval '1 s' WHERE id = $1", [id]);
  expect(await takeDeliveries(database, mine, dead, { limit: 5, leaseMs })).toBeUndefined();
  await makeDue(id);
  await delivering.deliverDue();
  await poll(async () => (await listed(id))[0].status, POLL).toBe('delivered');
  await settleDelivery(database, { ...mine, subscriptionId: id, id: taken.id }, taken, {
    ...{ statusCode: 500, error: null, outcome: 'failed' },
  });
  expect(await listed(id)).toMatchObject([{ id: taken.id, status: 'delivered', attempts: 2, statusCode: 204 }]);
  expect(receiver.seen.map((event) => event.id)).toEqual([taken.id]);
});

test('a receiver that does not answer within EVENT_DELIVERY_TIMEOUT_MS gets the event again', async () => {
  const receiver = await eventReceiver(() => undefined);
  const { id } = await subscribe(receiver.url);
  await note('a');
  await deliverer({ timeoutMs: 100 }).deliverDue();
  await poll(async () => (await listed(id))[0].error, POLL).toBe('No answer within 100 ms');
  expect(await listed(id)).toMatchObject([{ status: 'pending', attempts: 1, statusCode: null }]);
});

test('an event that is tried for three days has failed, and the next of its subject continues', async () => {
  const receiver = await eventReceiver(({ data }) => (data.number === 1 ? 500 : 200));
  const { id } = await subscribe(receiver.url);
  await note('a', { number: 1 });
  await own.database.pool.query(
    "UPDATE event_deliveries SET attempts = 15, due_since = now() - interval '70 hours' WHERE subscription_id = $1",
    [id],
  );
  await note('a', { number: 2 });
  const delivering = deliverer();
  await delivering.deliverDue();
  await poll(async () => (await listed(id, '&filterBy=status:pending')).length, POLL).toBe(0);
  expect((await listed(id)).map((each: Record<string, unknown>) => [each.status, each.attempts])).toEqual([
    ['delivered', 1],
    ['failed', 16],
  ]);
});

test('events of one moment are listed in the order in which they go', async () => {
  const { id } = await subscribe('https://x.example');
  await own.database.pool.query(
    `SELECT note_event($1, 'object.changed', 'a', '{"objectTypeSlug": "things"}', jsonb_build_object('number', n))
     FROM generate_series(1, 6) n`,
    [own.workspaceId],
  );
  const { body } = await call('GET', `/api/event-subscriptions/${id}/deliveries?expansion=data`);
  expect(new Set(body.map(({ at }: { at: string }) => at)).size).toBe(1);
  expect(body.map(({ data }: { data: { number: number } }) => data.number)).toEqual([6, 5, 4, 3, 2, 1]);
});

test('410 disables the subscription: nothing is recorded or sent until it is enabled again', async () => {
  let status = 410;
  const receiver = await eventReceiver(() => status);
  const { id } = await subscribe(receiver.url);
  const path = `/api/event-subscriptions/${id}`;
  await note('a');
  await note('a');
  const delivering = deliverer();
  await delivering.deliverDue();
  await poll(async () => (await call('GET', path)).body.disabledReason, POLL).toBe('GONE');
  await note('b');
  await delivering.deliverDue();
  const rows = async () => (await listed(id)).map((each: Record<string, unknown>) => [each.status, each.statusCode]);
  expect(await rows()).toEqual([
    ['pending', null],
    ['failed', 410],
  ]);
  expect((await call('POST', `${path}/test`)).status).toBe(409);
  status = 200;
  const on = await call('PATCH', path, { body: { isActive: true } });
  expect(on.body).toMatchObject({ isActive: true, disabledReason: null });
  await delivering.deliverDue();
  await poll(rows, POLL).toEqual([
    ['delivered', 200],
    ['failed', 410],
  ]);
  expect(receiver.seen).toHaveLength(2);
});

test('a replay sends a range again under the same ids, at most EVENT_REPLAY_MAX, the oldest first', async () => {
  const receiver = await eventReceiver();
  const { id } = await subscribe(receiver.url);
  for (let number = 0; number < 6; number += 1) await note('a', { number });
  const delivering = deliverer();
  await delivering.deliverDue();
  const delivered = () => listed(id, '&filterBy=status:delivered');
  await poll(async () => (await delivered()).length, POLL).toBe(6);
  const replay = (since: unknown, until: unknown) =>
    call('POST', `/api/event-subscriptions/${id}/replay`, { body: { since, until } });
  const [newest] = await delivered();
  expect((await replay(newest.at, newest.at)).body.errors[0].path).toBe('until');
  expect((await replay('2000-01-01T00:00:00Z', '2001-01-01T00:00:00Z')).body).toEqual({ matched: 0, replayed: 0 });
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  expect((await replay('2000-01-01T00:00:00Z', tomorrow)).body).toEqual({ matched: 6, replayed: 4 });
  await delivering.deliverDue();
  await poll(async () => (await delivered()).length, POLL).toBe(6);
  const ids = receiver.seen.map((event) => event.id);
  expect(ids).toEqual([...ids.slice(0, 6), ...ids.slice(0, 4)]);
  expect(new Set(ids).size).toBe(6);
});

test('deletes deliveries after the retention, even those that were never sent', async () => {
  const { database } = own;
  const { id } = await subscribe('https://x.example');
  const insert = (days: number) =>
    database.eventDelivery.create({
      data: {
        ...{ id: v7({ msecs: Date.now() - days * 86_400_000 }), workspaceId: own.workspaceId, subscriptionId: id },
        ...{ type: 'object.changed', subject: 'a', data: {} },
        createdAt: new Date(Date.now() - days * 86_400_000),
      },
    });
  for (const days of [20, 15, 13]) await insert(days);
  const sweep = sweepExpired({ database }, { objectChangeDays: 7, eventDays: 14, auditDays: 0 }, 1_000);
  await sweep.run(new AbortController().signal, () => undefined, ALL_BUCKETS);
  expect(await listed(id)).toHaveLength(1);
});

test('one workspace takes at most half the places of a process', async () => {
  const { database } = own;
  const held: (() => void)[] = [];
  const receiver = await eventReceiver((_, response) => void held.push(() => response.writeHead(204).end()));
  for (let count = 0; count < 4; count += 1) await subscribe(receiver.url);
  await note('a');
  const other = await insertOwnWorkspace(database);
  const id = v7();
  const place = { workspaceId: other, url: receiver.url, events: ['object.changed'] };
  const key = { secret: Buffer.alloc(1), keyId: 'none' };
  await database.eventSubscription.create({ data: { id, ...place, ...key } });
  const mine = { holder: randomUUID(), buckets: ALL_BUCKETS, limit: 4, mostOfWorkspace: 2, leaseMs: 30_000 };
  await note('b', {}, other);
  const claimed = await claimSubscriptions(database, { ...mine, held: new Map() });
  expect(claimed.map(({ workspaceId }) => workspaceId).sort()).toEqual(
    [own.workspaceId, own.workspaceId, other].sort(),
  );
  expect(await claimSubscriptions(database, { ...mine, held: new Map([[own.workspaceId, 2]]) })).toEqual([]);
  expect(await claimSubscriptions(database, { ...mine, held: new Map([[own.workspaceId, 1]]) })).toHaveLength(1);
  for (const answer of held) answer();
});

test('nothing is recorded without a subscription: other events, other subjects, a subscription that is off', async () => {
  const { id: byFilter } = await subscribe('https://x.example', { filterBy: 'objectTypeSlug:others' });
  const { id: byType } = await subscribe('https://x.example', { events: ['execution.failed'] });
  const { id: off } = await subscribe('https://x.example');
  await call('PATCH', `/api/event-subscriptions/${off}`, { body: { isActive: false } });
  const { id: matching } = await subscribe('https://x.example', { filterBy: 'objectTypeSlug:things' });
  await note('a');
  const counts = await Promise.all([byFilter, byType, off, matching].map(async (id) => (await listed(id)).length));
  expect(counts).toEqual([0, 0, 0, 1]);
});
