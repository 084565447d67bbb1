/** A number from 0 to `below`, exclusive. */
export type Dice = (below: number) => number;
// biome-ignore lint/suspicious/noExplicitAny: other tests check the shapes of answers
type Called = { status: number; body: any };
type Api = (method: string, path: string, options?: { body: object }) => Promise<Called>;
type Answer = Called | undefined;

/** Few targets, so that operations collide. */
export interface World {
  call: Api;
  projectId: string;
  queues: string[];
  /** Slugs; the first is also that of references. */
  types: string[];
  /** The newest ids. */
  entities: string[];
}

const MAX_ENTITIES = 200;
/** Short, so that some expire during the test. */
const LEASES_MS = [1_000, 5_000];
const STATUSES = ['PENDING', 'PROCESSING', 'RETRYING', 'FAILED', 'COMPLETED'];

/** Without the checks of test/setup/api/client.ts, which take longer than the calls. */
function quickly(url: string, apiKey: string): Api {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  return async (method, path, { body } = { body: {} }) => {
    const sent = method === 'GET' ? {} : { body: JSON.stringify(body) };
    const response = await fetch(new URL(path, url), { method, headers, ...sent });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
}

export async function makeWorld(url: string, apiKey: string, projectId: string): Promise<World> {
  const call = quickly(url, apiKey);
  const world: World = { call, projectId, queues: [], types: ['a', 'b'], entities: [] };
  for (const slug of world.types) await upsertType(world, slug, ['open', 'closed']);
  for (const name of ['succeeds', 'fails', 'settles']) {
    const body = { name, batchSize: 5, maxConcurrent: 4, maxRetries: 2, retryDelayMinutes: 0 };
    const { body: queue } = await call('POST', `/api/queues?projectId=${projectId}`, { body });
    world.queues.push(queue.id);
    await drain(world, world.queues.length - 1, 4);
  }
  return world;
}

export async function letGoOn(world: World): Promise<void> {
  for (const [index, queue] of world.queues.entries()) {
    await world.call('POST', `/api/queues/${queue}/restore`);
    await world.call('POST', `/api/queues/${queue}/activate`);
    await drain(world, index, null);
  }
  const { body: workflows } = await world.call('GET', '/api/workflows');
  for (const { id } of workflows) await world.call('POST', `/api/workflows/${id}/resume`);
}

function upsertType({ call }: World, slug: string, states: readonly string[]): Promise<Answer> {
  const properties = { sku: { type: 'string' }, n: { type: 'number' }, ref: { type: 'string', 'x-objectType': 'a' } };
  const stateSchema = { initial: 'open', states: states.map((id) => ({ id, name: id })) };
  const body = { slug, name: slug, attributeSchema: { type: 'object', properties }, stateSchema };
  return call('POST', '/api/object-types/upsert', { body });
}

/** The first workflow only works, the second fails, the third settles an item itself. */
function drain({ call, projectId, queues }: World, index: number, maxConcurrent: number | null): Promise<Answer> {
  const value = index === 1 ? '{{ trigger.items[0].data.no.such }}' : '{{ trigger.items.map(item, item.id) }}';
  const work = { id: 'work', type: 'action', appId: 'core', actionId: 'transform', inputs: { value } };
  const inputs = { itemId: '{{ trigger.items[0].id }}' };
  const settle = { id: 'settle', type: 'action', appId: 'queue', actionId: 'complete', inputs };
  const trigger = { id: 'trigger', type: 'queue', config: { queueId: queues[index] } };
  const nodes = index === 2 ? [work, settle] : [work];
  const body = { slug: `drain-${index}`, maxConcurrent, trigger, nodes, edges: [] };
  return call('POST', `/api/projects/${projectId}/workflows/upsert`, { body });
}

function pick<T>(dice: Dice, of: readonly T[]): T {
  return of[dice(of.length)] as T;
}

function shuffled<T>(dice: Dice, of: readonly T[]): T[] {
  const rest = [...of];
  return of.flatMap(() => rest.splice(dice(rest.length), 1));
}

function itemsPath(dice: Dice, { queues }: World): string {
  return `/api/queues/${pick(dice, queues)}/items`;
}

async function someItems(dice: Dice, { call }: World, path: string, most: number): Promise<string[]> {
  const { body, status } = await call('GET', `${path}?limit=200&filterBy=status:${pick(dice, STATUSES)}`);
  if (status !== 200) return [];
  return shuffled(dice, body.items as { id: string }[])
    .slice(0, most)
    .map(({ id }) => id);
}

async function settleClaimed(dice: Dice, { call }: World, path: string, itemId: string): Promise<void> {
  switch (dice(4)) {
    case 0:
      await call('POST', `${path}/${itemId}/error`, { body: { error: 'it does not work' } });
      break;
    case 1:
      await call('PATCH', `${path}/${itemId}`, { body: { data: { changed: dice(9) } } });
      break;
    default:
      await call('PUT', `${path}/${itemId}/status`, { body: { status: pick(dice, ['COMPLETED', 'CANCELLED']) } });
  }
}

async function someOf(dice: Dice, { call }: World, path: string): Promise<string | undefined> {
  const { body, status } = await call('GET', path);
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
  return body.length === 0 ? undefined : pick(dice, body as { id: string }[]).id;
}

/** Returns the answer of its last call; undefined without a target. */
export const OPERATIONS: Record<string, (dice: Dice, world: World) => Promise<Answer>> = {
  addItems(dice, world) {
    const names = shuffled(
      dice,
      Array.from({ length: 300 }, (_, n) => `item-${n}`),
    ).slice(0, 40);
    const items = names.map((externalId) => ({ externalId, data: { n: dice(9) }, priority: dice(200) - 50 }));
    const options = { duplicates: pick(dice, ['skip', 'update', 'return']) };
    return world.call('POST', `${itemsPath(dice, world)}/bulk`, { body: { items, options } });
  },
  async changeItems(dice, world) {
    const path = itemsPath(dice, world);
    const itemIds = await someItems(dice, world, path, 30);
    const update = { priority: dice(100), metadata: { n: dice(5) } };
    return itemIds.length === 0 ? undefined : world.call('PATCH', `${path}/bulk`, { body: { itemIds, update } });
  },
  async deleteItems(dice, world) {
    const path = itemsPath(dice, world);
    const itemIds = await someItems(dice, world, path, 15);
    return itemIds.length === 0 ? undefined : world.call('DELETE', `${path}/bulk`, { body: { itemIds } });
  },
  async claim(dice, world) {
    const path = itemsPath(dice, world);
    const body = { limit: 10, leaseMs: pick(dice, LEASES_MS), worker: 'w' };
    const claimed = await world.call('POST', `${path}/claim`, { body });
    if (claimed.status !== 200) return claimed;
    for (const { id } of shuffled(dice, claimed.body as { id: string }[])) await settleClaimed(dice, world, path, id);
    return claimed;
  },
  async changeQueue(dice, { call, queues }) {
    const path = `/api/queues/${pick(dice, queues)}`;
    await call('POST', `${path}/deactivate`);
    await call('PATCH', path, { body: { maxConcurrent: 1 + dice(6) } });
    return call('POST', `${path}/activate`);
  },
  async deleteQueue(dice, { call, queues }) {
    const path = `/api/queues/${pick(dice, queues)}`;
    await call('DELETE', path);
    return call('POST', `${path}/restore`);
  },
  changeWorkflow: (dice, world) => drain(world, dice(world.queues.length), pick(dice, [null, 1, 3])),
  async pause(dice, world) {
    const id = await someOf(dice, world, '/api/workflows');
    if (id === undefined) return undefined;
    await world.call('POST', `/api/workflows/${id}/pause`);
    return world.call('POST', `/api/workflows/${id}/resume`);
  },
  async execute(dice, { call, projectId }) {
    const value = pick(dice, ['{{ 1 + 1 }}', '{{ trigger.no.such }}']);
    const nodes = [{ id: 'work', type: 'action', appId: 'core', actionId: 'transform', inputs: { value } }];
    const trigger = { id: 'trigger', type: 'manual', config: {} };
    const body = { slug: `manual-${dice(2)}`, maxConcurrent: pick(dice, [1, 3, null]), trigger, nodes, edges: [] };
    const { body: workflow, status } = await call('POST', `/api/projects/${projectId}/workflows/upsert`, { body });
    return status === 200 ? call('POST', `/api/executions/workflows/${workflow.id}/execute`, { body: {} }) : undefined;
  },
  async retry(dice, world) {
    const id = await someOf(dice, world, '/api/executions?limit=20&filterBy=status:FAILED');
    return id === undefined ? undefined : world.call('POST', `/api/executions/${id}/retry`);
  },
  async cancel(dice, world) {
    const id = await someOf(dice, world, '/api/executions?limit=20');
    return id === undefined ? undefined : world.call('POST', `/api/executions/${id}/cancel`);
  },
  import(dice, { call, types }) {
    const numbers = shuffled(
      dice,
      Array.from({ length: 120 }, (_, n) => n),
    ).slice(0, 80);
    const rows = numbers.map((n) => ({ name: `n${n}`, sku: `s${n}`, n: dice(1_000) }));
    const matched = { updateExisting: true, matchField: pick(dice, ['name', 'sku']) };
    const body = { objectTypeSlug: pick(dice, types), rows, columnMappings: { name: 'name', sku: 'sku', n: 'n' } };
    return call('POST', '/api/objects/import', { body: { ...body, ...matched } });
  },
  async createEntity(dice, { call, types, entities }) {
    const reference = entities.length > 0 && dice(2) === 0 ? { ref: pick(dice, entities) } : {};
    const body = { objectTypeSlug: pick(dice, types), name: `n${dice(120)}`, attributes: { n: dice(9), ...reference } };
    const made = await call('POST', '/api/objects', { body });
    if (made.status === 201) entities.push(made.body.id);
    if (entities.length > MAX_ENTITIES) entities.shift();
    return made;
  },
  async changeEntity(dice, { call, entities }) {
    if (entities.length === 0) return undefined;
    const path = `/api/objects/${pick(dice, entities)}`;
    const attributes = { n: dice(100), ref: pick(dice, [null, ...entities]) };
    await call('PATCH', path, { body: { attributes } });
    return call('POST', `${path}/state`, { body: { state: pick(dice, ['open', 'closed']) } });
  },
  async deleteEntity(dice, { call, entities }) {
    if (entities.length === 0) return undefined;
    const path = `/api/objects/${pick(dice, entities)}`;
    const deleted = await call('DELETE', path);
    return dice(2) === 0 ? call('POST', `${path}/restore`) : deleted;
  },
  changeType: (dice, world) =>
    upsertType(world, pick(dice, world.types), ['open', 'closed', ...(dice(2) === 0 ? ['archived'] : [])]),
};
