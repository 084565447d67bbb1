// test: long
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { api } from '../setup/api/client.ts';
import { poll } from '../setup/jest/poll.ts';
import { type Loopback, loopback } from '../setup/providers/loopback.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import type { Graph } from '../setup/workspace/graph.ts';
import { type Home, makeHome, stepOf } from '../setup/workspace/home.ts';

const PAGE = readFileSync(join(PROJECT_ROOT, 'docs/recipes.md'), 'utf8');
const JSON_TYPE = { 'content-type': 'application/json' };

/** Returns the files that the section links, then its blocks of JSON. */
function recipe(heading: string): (Graph & { slug: string })[] {
  const section = PAGE.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const files = [...section.matchAll(/\]\((recipes\/[\w-]+\.json)\)/g)].map(([, file = '']) =>
    readFileSync(join(PROJECT_ROOT, 'docs', file), 'utf8'),
  );
  const blocks = [...section.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = '']) => text);
  return [...files, ...blocks].map((text) => JSON.parse(text));
}

async function variables(home: Home, all: Record<string, unknown>): Promise<void> {
  for (const [name, value] of Object.entries(all)) {
    expect((await home.api('POST', '/api/variables', { body: { name, value } })).status).toBe(201);
  }
}

async function queue(home: Home): Promise<string> {
  const { body } = await home.api('POST', `/api/queues?projectId=${home.projectId}`, { body: { name: 'Orders' } });
  return body.id;
}

async function itemsOf(home: Home, queueId: string) {
  const { body } = await home.api('GET', `/api/queues/${queueId}/items?expansion=data`);
  return body.items;
}

const bodies = ({ calls }: Loopback) => calls.map(({ body }) => JSON.parse(body));

test('docs/recipes.md: every recipe is in its table and has a definition', () => {
  const headings = [...PAGE.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading ?? '');
  const listed = [...PAGE.matchAll(/^\| \[(.+?)\]\(#/gm)].map(([, name]) => name);
  expect(headings).toEqual(listed);
  expect(headings.every((heading) => recipe(heading).length > 0)).toBe(true);
});

test('docs/recipes.md: retry per item', async () => {
  const [definition, again] = recipe('Retry per item');
  const home = await makeHome();
  const seen = new Map<string, string[]>();
  let isDown = true;
  const bank = await loopback(({ body, headers }, response) => {
    const { order } = JSON.parse(body);
    const keys = [...(seen.get(order) ?? []), String(headers['idempotency-key'])];
    seen.set(order, keys);
    const fails = isDown && (order === 'bad' || (order === 'slow' && keys.length < 3));
    response.writeHead(fails ? 503 : 200, JSON_TYPE).end('{"ok":true}');
  });
  await variables(home, { 'bank-url': bank.url });
  const orders = ['good', 'slow', 'bad', 'fine'].map((id) => ({ id, amount: 5 }));
  const ended = await home.ended(await home.execute(await home.deploy(definition as Graph), { orders }));
  expect(ended).toMatchObject({
    status: 'COMPLETED',
    output: { charged: 3, failed: [expect.stringContaining('503')] },
  });
  expect(Object.fromEntries([...seen].map(([order, keys]) => [order, [keys.length, new Set(keys).size]]))).toEqual({
    good: [1, 1],
    slow: [3, 1],
    bad: [3, 1],
    fine: [1, 1],
  });
  isDown = false;
  const answer = await home.api('POST', `/api/executions/${ended.id}/retry`, { body: again as unknown as object });
  expect(answer.status).toBe(201);
  expect(await home.ended(answer.body.executionId)).toMatchObject({ output: { charged: 4, failed: [] } });
  expect([...seen].map(([order, keys]) => [order, keys.length])).toEqual([
    ['good', 1],
    ['slow', 3],
    ['bad', 4],
    ['fine', 1],
  ]);
});

test('docs/recipes.md: dead letters', async () => {
  const [first, second] = recipe('Dead letters');
  const home = await makeHome();
  let isDown = true;
  const shop = await loopback((_, response) => void response.writeHead(isDown ? 503 : 200, JSON_TYPE).end('{}'));
  const queueId = await queue(home);
  await variables(home, { 'shop-url': shop.url, 'dead-letters': queueId });
  const workflowId = await home.deploy(first as Graph);
  const order = { id: 17, sku: 'a' };
  for (let round = 0; round < 2; round += 1) {
    const ended = await home.ended(await home.execute(workflowId, { order }));
    expect(ended.status).toBe('COMPLETED');
    expect(stepOf(ended, 'keep').output.isDuplicate).toBe(round === 1);
  }
  expect(shop.calls).toHaveLength(4);
  const [item, ...more] = await itemsOf(home, queueId);
  expect(more).toEqual([]);
  expect(item).toMatchObject({
    externalId: 'order-17',
    status: 'PENDING',
    data: { order, reason: expect.stringContaining('503') },
  });

  isDown = false;
  const text = JSON.stringify(second).replace('ID_OF_THE_QUEUE', queueId);
  await home.deploy(JSON.parse(text));
  await poll(async () => (await itemsOf(home, queueId))[0].status, { timeout: 30_000, interval: 100 }).toBe(
    'COMPLETED',
  );
  expect(bodies(shop)).toEqual(Array(5).fill(order));
});

async function expense(patienceMs: number) {
  const [definition] = recipe('Approval with a reminder and an expiry');
  const home = await makeHome();
  const mails = await loopback();
  await variables(home, { 'mail-url': mails.url, 'patience-ms': patienceMs });
  const executionId = await home.execute(await home.deploy(definition as Graph), { amount: 42.5 });
  return { home, mails, executionId };
}

test('docs/recipes.md: an approval that nobody gives is refused after its reminders', async () => {
  const { home, mails, executionId } = await expense(300);
  expect(await home.ended(executionId)).toMatchObject({ status: 'COMPLETED', output: 'nobody answered' });
  const sent = bodies(mails);
  expect(sent.map(({ subject }) => subject)).toEqual(['An expense waits for you', 'Reminder 1', 'Reminder 2']);
  expect(new Set(sent.map(({ link }) => link)).size).toBe(3);
});

test('docs/recipes.md: an approval by the link of the reminder', async () => {
  const { home, mails, executionId } = await expense(2_500);
  await poll(() => mails.calls.length, { timeout: 20_000, interval: 20 }).toBe(2);
  const [first, reminder] = bodies(mails).map(({ link }) => new URL(link));
  const path = (link: URL | undefined) => `${link?.pathname}${link?.search}`;
  const open = api(home.url);
  const body = { approved: true };
  expect((await open('POST', path(first), { body })).status).not.toBe(200);
  expect((await open('POST', path(reminder), { body })).status).toBe(200);
  expect(await home.ended(executionId)).toMatchObject({ status: 'COMPLETED', output: 'paid' });
});

test('docs/recipes.md: fan-out with bounded concurrency', async () => {
  const [definition] = recipe('Fan-out with bounded concurrency');
  const home = await makeHome();
  let open = 0;
  let most = 0;
  const shop = await loopback(({ url }, response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      response.writeHead(200, JSON_TYPE).end(JSON.stringify({ price: Number(url.split('/').at(-1)?.slice(1)) }));
    }, 60);
  });
  await variables(home, { 'shop-url': shop.url });
  const skus = Array.from({ length: 40 }, (_, index) => `a${index}`);
  const { status, output } = await home.ended(await home.execute(await home.deploy(definition as Graph), { skus }));
  expect(status).toBe('COMPLETED');
  expect(output).toEqual({ prices: skus.map((sku, price) => ({ sku, price })), total: 780 });
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(5);
});

test('docs/recipes.md: nightly batch', async () => {
  const [definition] = recipe('Nightly batch');
  const home = await makeHome();
  const orders = [{ id: 'o1' }, { id: 'o2' }, { id: 'o3' }];
  const shop = await loopback((_, response) => void response.writeHead(200, JSON_TYPE).end(JSON.stringify({ orders })));
  const queueId = await queue(home);
  await variables(home, { 'shop-url': shop.url, 'orders-queue': queueId });
  const workflowId = await home.deploy(definition as Graph);
  const { body } = await home.api('GET', `/api/workflows/${workflowId}?expansion=nextScheduledExecution`);
  const berlin = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', timeStyle: 'short' });
  expect(berlin.format(new Date(body.nextScheduledExecution))).toBe('02:00');

  // The schedule fires twice in one night.
  const schedule = (await stackTemporal()).schedule.getHandle(`schedule-${workflowId}`);
  const list = async () =>
    (await home.api('GET', `/api/executions?filterBy=workflowId:${workflowId}&expansion=status,output`)).body;
  const outputs = async () =>
    (await list())
      .filter((each: { status: string }) => each.status === 'COMPLETED')
      .map((each: { output: unknown }) => each.output);
  await schedule.trigger();
  await poll(outputs, { timeout: 40_000, interval: 200 }).toEqual([{ orders: 3, new: 3 }]);
  orders.push({ id: 'o4' });
  // The engine skips times within a second of the previous one, or while that one is ending.
  const triggered = async () => {
    await schedule.trigger();
    return outputs();
  };
  await poll(triggered, { timeout: 40_000, interval: 1_500 }).toEqual(expect.arrayContaining([{ orders: 4, new: 1 }]));
  expect((await itemsOf(home, queueId)).map((item: { externalId: string }) => item.externalId).sort()).toEqual([
    'o1',
    'o2',
    'o3',
    'o4',
  ]);
  const since = Date.parse(new URL(`http://x${shop.calls[0]?.url}`).searchParams.get('since') ?? '');
  expect(Date.now() - since).toBeGreaterThan(25 * 3_600_000 - 1_000);
  expect(Date.now() - since).toBeLessThan(25 * 3_600_000 + 120_000);
});
