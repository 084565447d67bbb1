// test: long
import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { eventReceiver, type SeenEvent, verified } from '../setup/providers/eventReceiver.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { action, question } from '../setup/workspace/graph.ts';

// Kills at the two critical moments of an event: committed but not sent, and received but unconfirmed.

const LONG = { timeout: 120_000, interval: 200 };
const { stack, home } = await ownHome({ environment: { EVENT_DELIVERY_TIMEOUT_MS: '20000' } });

type Delivery = { id: string; type: string; status: string; attempts: number };

async function subscribe(url: string, events: string[]) {
  const { body } = await home.api('POST', '/api/event-subscriptions', { body: { url, events } });
  const path = `/api/event-subscriptions/${body.id}`;
  const deliveries = async (): Promise<Delivery[]> => (await home.api('GET', `${path}/deliveries`)).body;
  return { path, secret: body.secret as string, deliveries };
}

function firstOfEach(seen: readonly SeenEvent[]): SeenEvent[] {
  return seen.filter(({ id }, index) => seen.findIndex((each) => each.id === id) === index);
}

test('a kill before an event was sent, and one after it was taken and before that was stored: each arrives, in order, under one id', async () => {
  /** Delayed responses: the receiver has the event, but the sender gets no response. */
  const held: ServerResponse[] = [];
  let holds = true;
  const receiver = await eventReceiver((_, response) => {
    if (!holds) return 204;
    held.push(response);
    return undefined;
  });
  const { path, secret, deliveries } = await subscribe(receiver.url, ['question.opened', 'execution.completed']);
  const executionId = await home.execute(
    await home.deploy({
      nodes: [question('ask'), action('done', 'core.set', { values: { a: 1 } })],
      edges: [{ id: 'e', source: 'ask', target: 'done' }],
    }),
  );
  await home.asked(executionId, 'ask');
  // The receiver has the first event, but its response is never read; the second event waits behind it.
  await poll(() => receiver.seen.length, LONG).toBe(1);
  await home.submit(executionId, 'ask', { answer: 'x' });
  await home.ended(executionId);
  const pending = await deliveries();
  expect(pending).toMatchObject([
    { type: 'execution.completed', status: 'pending', attempts: 0 },
    { type: 'question.opened', status: 'pending' },
  ]);
  const takenBefore = receiver.seen.length;
  await stack.killMain();
  holds = false;
  await stack.startAgain();
  await poll(async () => (await deliveries()).map(({ status }) => status), LONG).toEqual(['delivered', 'delivered']);
  expect((await deliveries()).map(({ id }) => id)).toEqual(pending.map(({ id }) => id));
  const [completed, opened] = pending.map(({ id }) => id);
  expect(receiver.seen.slice(takenBefore).map(({ id }) => id)).toEqual([opened, completed]);

  holds = true;
  held.length = 0;
  const workflowId = await home.deploy({ slug: 'many', nodes: [action('done', 'core.set', { values: { a: 1 } })] });
  const ids = await Promise.all(Array.from({ length: 25 }, () => home.execute(workflowId)));
  await Promise.all(ids.map((id) => home.ended(id)));
  // EVENT_DELIVERIES_AT_ONCE.
  await poll(() => held.length, LONG).toBe(10);
  // Some are stored as delivered; the answers of the others are lost.
  for (const response of held.splice(0, 5)) response.writeHead(204).end();
  await poll(async () => (await deliveries()).filter(({ status }) => status === 'delivered').length, LONG).toBe(7);
  await stack.killMain();
  holds = false;
  await stack.startAgain();
  await poll(async () => (await deliveries()).filter(({ status }) => status === 'delivered').length, LONG).toBe(27);
  const arrived = firstOfEach(receiver.seen).filter(({ type }) => type === 'execution.completed');
  expect(arrived.map(({ data }) => data.id).sort()).toEqual([executionId, ...ids].sort());
  expect(arrived).toHaveLength(26);
  expect(new Set(receiver.seen.map(({ id }) => id))).toEqual(new Set((await deliveries()).map(({ id }) => id)));
  await verified(receiver.calls, secret);
  expect((await home.api('GET', path)).body.isActive).toBe(true);
}, 300_000);
