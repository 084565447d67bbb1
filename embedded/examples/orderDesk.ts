import { apply, type ExampleRun, idOf, waitFor } from './calls.ts';
import { readExample } from './exampleFolder.ts';

const TYPE = 'desk-order';

const ORDERS = [
  { number: 1, customer: 'Ada', total: 40 },
  { number: 2, customer: 'Grace', total: 4200 },
];

interface Entity {
  id: string;
  name: string;
  state: string;
}

/**
 *   order ──► queue Orders ──► workflow ──┬─ small ─────────────────────────────────────────────► shipped
 *   (entity)                              └─ large ──► queue Orders to review ──► a person ──► approved ──► workflow ──► shipped
 *
 * docs/queues.md continues from here.
 */
export async function runOrderDesk(run: ExampleRun): Promise<void> {
  const { call, credentials, say } = run;
  await apply(run, await readExample('order-desk'));
  const queueId = await idOf(run, 'queues', 'orders');
  const reviewsId = await idOf(run, 'queues', 'orders-to-review');
  const readOrders = async () =>
    ((await call('GET', `/api/objects?objectTypeSlug=${TYPE}&sortBy=name&sortOrder=asc`)).json as { items: Entity[] })
      .items;
  const isNew = (await readOrders()).length === 0;
  if (isNew) for (const order of ORDERS) await receive(run, queueId, order);
  const orders = await waitFor(
    readOrders,
    (found) => found.every(({ state }) => state !== 'received'),
    (found) => `the orders are ${found.map(({ name, state }) => `${name} ${state}`).join(', ')}`,
  );
  say('');
  say(
    `Example order-desk, examples/order-desk: orders in a queue that a workflow drains, large ones in one for people`,
  );
  for (const { name, state } of orders) say(`  ${name}  ${state}`);
  say('  What waits for a person:');
  say('');
  say(`  curl -H "X-API-Key: ${credentials.apiKey}" "${credentials.url}/api/queues/${reviewsId}/items/ready"`);
  say('');
  say('  docs/queues.md goes on from here: claim it, approve the order, and see it shipped.');
}

async function receive(
  { call }: ExampleRun,
  queueId: string,
  { number, customer, total }: (typeof ORDERS)[number],
): Promise<void> {
  const attributes = { customer, total };
  const { json } = await call('POST', '/api/objects', {
    objectTypeSlug: TYPE,
    name: `Order ${number}`,
    attributes,
  });
  const { id: objectId } = json as Entity;
  await call('POST', `/api/queues/${queueId}/items`, { externalId: `order-${number}`, data: { total }, objectId });
}
