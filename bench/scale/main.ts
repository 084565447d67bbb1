import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { action, inARow, WEBHOOK } from '../definitions.ts';
import { type JsonClient, jsonClient } from '../jsonClient.ts';
import { runBlock } from '../load.ts';
import { findProcesses, residentMib } from '../processes.ts';
import { type BenchStack, startStack } from '../stack.ts';

// `npm run scale`: many at once. Prints what each stage took, in JSON lines; fails where something did not end right.

const { values: options } = parseArgs({
  options: {
    waiting: { type: 'string', default: '2000' },
    items: { type: 'string', default: '1000' },
    concurrency: { type: 'string', default: '100' },
  },
});
const WAITING = Number(options.waiting);
const ITEMS = Number(options.items);
const CONCURRENCY = Number(options.concurrency);
const CLIENTS = 20;
const LOOK_MS = 200;

const QUESTION = {
  slug: 'scale-question',
  nodes: [
    { id: 'ask', type: 'input', inputs: { fields: [{ key: 'said', label: 'Said', type: 'text', required: true }] } },
    action('after', 'testing', 'succeed', { output: '{{ steps.ask.output.said }}' }),
  ],
  edges: inARow(['ask', 'after']),
};

const FAN_OUT = {
  slug: 'scale-fan-out',
  trigger: WEBHOOK,
  nodes: [
    { id: 'loop', type: 'forEach', inputs: { items: '{{ trigger.body.items }}', concurrency: CONCURRENCY } },
    { ...action('child', 'testing', 'succeed', { output: '{{ loop.item * 2 }}' }), parentId: 'loop' },
  ],
  edges: inARow(['loop']),
};

const folder = await mkdtemp(join(tmpdir(), 'perdure-scale-'));
let stack: BenchStack = await startStack(folder);
let client: JsonClient = connect();

function connect(): JsonClient {
  return jsonClient(stack.credentials.url, { 'x-api-key': stack.credentials.apiKey });
}

/** A stage: its time, and memory and transactions of the database at its end. */
async function stage(name: string, work: () => Promise<object | undefined>): Promise<void> {
  const before = await transactions();
  const startedAt = performance.now();
  const told = await work();
  const seconds = Number(((performance.now() - startedAt) / 1_000).toFixed(1));
  const after = await transactions();
  const { bare: _, ...memory } = await residentMib(await findProcesses(stack.pid, stack.pid));
  const statements = after === undefined || before === undefined || after < before ? undefined : after - before;
  console.log(JSON.stringify({ stage: name, seconds, statements, ...told, memoryMib: rounded(memory) }));
}

function rounded(figures: object): object {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Math.round(value)]));
}

async function onDatabase<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
  const database = new pg.Client({ connectionString: stack.running.databaseUrl });
  await database.connect();
  try {
    return (await database.query<Row>(sql)).rows;
  } finally {
    await database.end();
  }
}

/** One statement is one transaction here. Undefined where the database does not count them. */
async function transactions(): Promise<number | undefined> {
  const [row] = await onDatabase<{ count: string }>(
    'SELECT sum(xact_commit) AS count FROM pg_stat_database WHERE datname = current_database()',
  );
  return row && Number(row.count) > 0 ? Number(row.count) : undefined;
}

async function statusCounts(): Promise<Record<string, number>> {
  const rows = await onDatabase<{ status: string; count: number }>(
    'SELECT status, count(*)::int AS count FROM executions GROUP BY status',
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

async function untilAll(status: string, count: number): Promise<void> {
  for (;;) {
    const counts = await statusCounts();
    if (counts[status] === count) return;
    const bad = (counts.FAILED ?? 0) + (counts.CANCELLED ?? 0) + (counts.TIMED_OUT ?? 0);
    if (bad > 0) throw new Error(`some ended otherwise: ${JSON.stringify(counts)}`);
    await sleep(LOOK_MS);
  }
}

async function deploy(definition: object): Promise<string> {
  const { projectId } = stack.credentials;
  return (await client.call('POST', `/api/projects/${projectId}/workflows/upsert`, definition)).body.id;
}

try {
  const question = await deploy(QUESTION);
  const ids: string[] = [];
  await stage(`${WAITING} executions started, all wait for input`, async () => {
    await runBlock(WAITING, CLIENTS, async () => {
      ids.push((await client.call('POST', `/api/executions/workflows/${question}/execute`, {})).body.executionId);
    });
    await untilAll('NEEDS_INPUT', WAITING);
    return undefined;
  });
  await stage('ten seconds of waiting', async () => void (await sleep(10_000)));
  await stage('restart of everything', async () => {
    await client.close();
    await stack.stop();
    stack = await startStack(folder);
    client = connect();
    return statusCounts();
  });
  await stage('all answered, all ended', async () => {
    const open = [...ids];
    await runBlock(WAITING, CLIENTS, async () => {
      await client.call('POST', `/api/webhooks/executions/${open.pop()}/nodes/ask/input`, { said: 'yes' });
    });
    await untilAll('COMPLETED', WAITING);
    return statusCounts();
  });

  const fanOut = await deploy(FAN_OUT);
  await stage(`fan-out of ${ITEMS} remote actions, ${CONCURRENCY} at once`, async () => {
    const items = Array.from({ length: ITEMS }, (_, index) => index);
    const { body } = await client.call('POST', `/api/webhooks/workflows/${fanOut}`, { items });
    const isRight = Array.isArray(body) && items.every((item) => body[item] === item * 2);
    if (!isRight) throw new Error(`another answer: ${JSON.stringify(body).slice(0, 500)}`);
    return { outputs: body.length };
  });
} finally {
  await client.close();
  await stack.stop();
  await rm(folder, { recursive: true, force: true });
}
