import { deploy, type ExampleRun, provideQueue, readExample, waitFor } from './calls.ts';

interface OrderDesk {
  objectType: { slug: string };
  queues: Record<string, { name: string }>;
  /** In their texts `{queue orders}` stands for the id of that queue. */
  workflows: unknown[];
  orders: { number: number; customer: string; total: number }[];
}

interface Entity {
  id: string;
  name: string;
  state: string;
}

/**
 *   order ──► queue Orders ──► workflow ──┬─ small ─────────────────────────────────────────────► shipped
 *   (entity)                              └─ large ──► queue Orders to review ──► a person ──► approved ──► workflow ──► shipped
 *
 * docs/queues.md walks on from here.
 */
export async function runOrderDesk(run: ExampleRun): Promise<void> {
  const { call, credentials, say } = run;
  const text = await readExample('order-desk.json');
  const desk = JSON.parse(text) as OrderDesk;
  await call('POST', '/api/object-types/upsert', desk.objectType);
  const queueIds: Record<string, string> = {};
  for (const [key, queue] of Object.entries(desk.queues)) queueIds[key] = await provideQueue(run, queue);
  const withIds = text.replaceAll(/\{queue (\w+)\}/g, (_, key: string) => queueIds[key] ?? '');
  for (const workflow of (JSON.parse(withIds) as OrderDesk).workflows) await deploy(run, workflow);

  const { slug } = desk.objectType;
  const readOrders = async () =>
    ((await call('GET', `/api/objects?objectTypeSlug=${slug}&sortBy=name&sortOrder=asc`)).json as { items: Entity[] })
      .items;
  const isNew = (await readOrders()).length === 0;
  if (isNew) for (const order of desk.orders) await receive(run, slug, queueIds.orders ?? '', order);
  const orders = await waitFor(
    readOrders,
    (found) => found.every(({ state }) => state !== 'received'),
    (found) => `the orders are ${found.map(({ name, state }) => `${name} ${state}`).join(', ')}`,
  );
  say('');
  say(
    `Example order-desk, examples/order-desk.json: orders in a queue that a workflow drains, large ones in one for people`,
  );
  for (const { name, state } of orders) say(`  ${name}  ${state}`);
  say('  What waits for a person:');
  say('');
  say(`  curl -H "X-API-Key: ${credentials.apiKey}" "${credentials.url}/api/queues/${queueIds.reviews}/items/ready"`);
  say('');
  say('  docs/queues.md goes on from here: claim it, approve the order, and see it shipped.');
}

async function receive(
  { call }: ExampleRun,
  objectTypeSlug: string,
  queueId: string,
  { number, customer, total }: OrderDesk['orders'][number],
): Promise<void> {
  const attributes = { customer, total };
  const { json } = await call('POST', '/api/objects', { objectTypeSlug, name: `Order ${number}`, attributes });
  const { id: objectId } = json as Entity;
  await call('POST', `/api/queues/${queueId}/items`, { externalId: `order-${number}`, data: { total }, objectId });
}
