import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { action, inARow } from './definitions.ts';
import { type JsonClient, jsonClient } from './jsonClient.ts';
import { perSecond, runBlock } from './load.ts';
import { mustBe } from './mustBe.ts';
import { isEnded, readUntil, stepOf } from './readExecution.ts';
import type { SampledSide, Sampler } from './sampler.ts';
import type { BenchStack } from './stack.ts';
import { now, SETTLE_MS, timed } from './timing.ts';
import { filledQueue, filledType, returnClaimed } from './workData.ts';
import {
  BATCH_SIZE,
  BATCHES_AT_ONCE,
  CLAIMS,
  CLIENTS,
  DRAINED_ITEMS,
  IMPORTED_ROWS,
  PAGE_SIZE,
  READS,
  SEARCHED,
  type WorkRowName,
} from './workRows.ts';

const LOOK_MS = 50;

const ROWS = Array.from({ length: IMPORTED_ROWS }, (_, index) => ({
  Name: `Order ${index}`,
  Total: String((index % 1_000) / 4),
  Mail: `customer-${index}@example.com`,
}));
const SCHEMA = {
  type: 'object',
  required: ['total'],
  properties: { total: { type: 'number', minimum: 0 }, email: { type: 'string', format: 'email' } },
};

async function rate(requests: number, work: () => Promise<unknown>): Promise<number> {
  return perSecond(await runBlock(requests, CLIENTS, work));
}

export async function ourWorkSide(name: WorkRowName, stack: BenchStack): Promise<SampledSide> {
  const { url, apiKey } = stack.credentials;
  const client = jsonClient(url, { 'x-api-key': apiKey });
  const makers: Record<WorkRowName, () => Promise<Sampler> | Sampler> = {
    claimOne: () => claims('claimOne'),
    claimFifty: () => claims('claimFifty'),
    claimFiftyOfSame: () => claims('claimFiftyOfSame'),
    drain: () => ourDrain(client, stack),
    ready: () => ourReady(client, stack, 'ready'),
    posted: () => ourReady(client, stack, 'posted'),
    itemPage: () => reads(`/items?limit=${PAGE_SIZE}`, ({ items }) => items.length === PAGE_SIZE),
    itemSearch: () => reads(`/items/search?filterBy=search:${SEARCHED}`, ({ pagination }) => pagination.total === 100),
    itemStats: () => reads('/items/stats', ({ byStatus }) => byStatus.PENDING > 0),
    import: () => ourImport(client),
    importToSame: () => ourImport(client),
    async entityPage() {
      const path = `/api/objects?objectTypeId=${await filledType(stack)}&pageSize=${PAGE_SIZE}`;
      return async () => {
        const { tookMs, value } = await timed(() => client.call('GET', path));
        mustBe(value.body.items.length, PAGE_SIZE);
        return { values: [tookMs] };
      };
    },
  };
  async function claims(row: keyof typeof CLAIMS): Promise<Sampler> {
    const queueId = await filledQueue(stack);
    const { limit, requests } = CLAIMS[row];
    const claim = async () => {
      const body = { limit, leaseMs: 3_600_000, worker: 'bench' };
      const answer = await client.call('POST', `/api/queues/${queueId}/items/claim`, body);
      mustBe(answer.body.length, limit);
    };
    return async () => {
      const found = await rate(requests, claim);
      await returnClaimed(stack, queueId);
      return { values: [found] };
    };
  }
  // biome-ignore lint/suspicious/noExplicitAny: as openapi.yaml describes it
  async function reads(path: string, isRight: (body: any) => boolean): Promise<Sampler> {
    const queueId = await filledQueue(stack);
    const read = async () => mustBe(isRight((await client.call('GET', `/api/queues/${queueId}${path}`)).body), true);
    return async () => ({ values: [await rate(READS, read)] });
  }
  return { sample: await makers[name](), close: () => client.close() };
}

async function drainedQueue(
  client: JsonClient,
  { credentials }: BenchStack,
  name: string,
  queue: object,
  definition: object,
): Promise<string> {
  const { projectId } = credentials;
  const { body } = await client.call('POST', `/api/queues?projectId=${projectId}`, { name: `bench ${name}`, ...queue });
  const trigger = { id: 'trigger', type: 'queue', config: { queueId: body.id } };
  const workflow = { slug: `bench-${name}`, trigger, ...definition };
  await client.call('POST', `/api/projects/${projectId}/workflows/upsert`, workflow);
  return body.id;
}

async function ourDrain(client: JsonClient, stack: BenchStack): Promise<Sampler> {
  const queueId = await drainedQueue(
    client,
    stack,
    'drain',
    { batchSize: BATCH_SIZE, maxConcurrent: BATCHES_AT_ONCE, isActive: false },
    {
      nodes: [action('work', 'core', 'transform', { value: '{{ trigger.items.map(item, item.data.number * 2) }}' })],
      edges: inARow(['work']),
    },
  );
  const items = Array.from({ length: DRAINED_ITEMS }, (_, number) => ({ data: { number } }));
  let drained = 0;
  return async () => {
    await client.call('POST', `/api/queues/${queueId}/items/bulk`, { items });
    drained += DRAINED_ITEMS;
    const { tookMs } = await timed(async () => {
      await client.call('POST', `/api/queues/${queueId}/activate`);
      for (let done = 0; done < drained; ) {
        await sleep(LOOK_MS);
        done = (await client.call('GET', `/api/queues/${queueId}/stats`)).body.counts.COMPLETED;
      }
    });
    await client.call('POST', `/api/queues/${queueId}/deactivate`);
    return { values: [(DRAINED_ITEMS * 1_000) / tookMs] };
  };
}

async function ourReady(client: JsonClient, stack: BenchStack, from: 'ready' | 'posted'): Promise<Sampler> {
  const queueId = await drainedQueue(
    client,
    stack,
    from,
    { batchSize: 1 },
    { nodes: [action('work', 'testing', 'succeed', { output: true })], edges: inARow(['work']) },
  );
  return async () => {
    const postedAt = now();
    const { body: item } = await client.call('POST', `/api/queues/${queueId}/items`, { data: {} });
    // Following from the beginning would slow it down.
    await sleep(SETTLE_MS);
    const path = `/api/queues/${queueId}/items/${item.id}?expansion=lastExecution,createdAt`;
    const { body: taken } = await client.call('GET', path);
    const execution = await readUntil(client, taken.lastExecution.id, isEnded);
    // The time of the statement that writes the item, so its commit is included.
    const begunAt = from === 'posted' ? postedAt : Date.parse(taken.createdAt);
    return { values: [Date.parse(stepOf(execution, 'work').startedAt) - begunAt] };
  };
}

async function ourImport(client: JsonClient): Promise<Sampler> {
  let count = 0;
  return async () => {
    // Each import uses a new type, so that all are equal.
    count += 1;
    const slug = `bench-import-${count}`;
    await client.call('POST', '/api/object-types/upsert', { slug, name: slug, attributeSchema: SCHEMA });
    const body = { objectTypeSlug: slug, columnMappings: { Name: 'name', Total: 'total', Mail: 'email' }, rows: ROWS };
    const { tookMs, value } = await timed(() => client.call('POST', '/api/objects/import', body));
    mustBe(value.body.created, IMPORTED_ROWS);
    return { values: [(IMPORTED_ROWS * 1_000) / tookMs] };
  };
}

export async function bareWorkSide(name: WorkRowName, url: string, stack: BenchStack): Promise<SampledSide> {
  const { apiKey, workspaceId } = stack.credentials;
  const client = jsonClient(url, { 'x-api-key': apiKey });
  const post = (path: string, body: object) => client.call('POST', `/work-surface/${path}`, body);
  const makers: Record<WorkRowName, () => Promise<Sampler> | Sampler> = {
    claimOne: () => claims('claimOne'),
    claimFifty: () => claims('claimFifty'),
    claimFiftyOfSame: () => claims('claimFiftyOfSame'),
    drain: () => async () => {
      const batches = DRAINED_ITEMS / BATCH_SIZE;
      const { tookMs } = await timed(() => post('drain', { batches, size: BATCH_SIZE, atOnce: BATCHES_AT_ONCE }));
      return { values: [(DRAINED_ITEMS * 1_000) / tookMs] };
    },
    ready: () => starts('ready'),
    posted: () => starts('posted'),
    itemPage: () => reads('page', {}, ({ items }) => items.length === PAGE_SIZE),
    itemSearch: () => reads('search', { text: SEARCHED }, ({ total }) => total === 100),
    itemStats: () => reads('stats', {}, (rows) => rows.length > 0),
    import: () => imports({}),
    importToSame: () => imports({ typeId: randomUUID() }),
    async entityPage() {
      const typeId = await filledType(stack);
      return async () => {
        const { tookMs, value } = await timed(() => post('entities', { workspaceId, typeId, limit: PAGE_SIZE }));
        mustBe(value.body.items.length, PAGE_SIZE);
        return { values: [tookMs] };
      };
    },
  };
  async function claims(row: keyof typeof CLAIMS): Promise<Sampler> {
    const queueId = await filledQueue(stack);
    const { limit, requests, table } = CLAIMS[row];
    const claim = async () => mustBe((await post('claim', { queueId, limit, table })).body.length, limit);
    return async () => {
      const found = await rate(requests, claim);
      await returnClaimed(stack, queueId);
      return { values: [found] };
    };
  }
  function starts(from: 'ready' | 'posted'): Sampler {
    return async () => {
      const postedAt = now();
      const { calledAt, startedAt } = (await post('start', {})).body;
      // As long as ours, because a longer pause slows the start.
      await sleep(SETTLE_MS);
      return { values: [startedAt - (from === 'posted' ? postedAt : calledAt)] };
    };
  }
  function imports(into: { typeId?: string }): Sampler {
    return async () => {
      const { tookMs, value } = await timed(() => post('import', { schema: SCHEMA, rows: ROWS, ...into }));
      mustBe(value.body.created, IMPORTED_ROWS);
      return { values: [(IMPORTED_ROWS * 1_000) / tookMs] };
    };
  }
  // biome-ignore lint/suspicious/noExplicitAny: as the route answers it
  async function reads(path: string, more: object, isRight: (body: any) => boolean): Promise<Sampler> {
    const queueId = await filledQueue(stack);
    const read = async () => mustBe(isRight((await post(path, { queueId, limit: PAGE_SIZE, ...more })).body), true);
    return async () => ({ values: [await rate(READS, read)] });
  }
  return { sample: await makers[name](), close: () => client.close() };
}
