import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { poll } from '../setup/jest/poll.ts';
import { type Stack, startStack } from '../setup/stack/ownStack.ts';
import { action, chain, control, question } from '../setup/workspace/graph.ts';
import { homeOn } from '../setup/workspace/home.ts';
import { type Pooler, startPgbouncer } from './pgbouncer.ts';

// A real PgBouncer gives each transaction another connection. DATABASE_URL is the server behind it.

const server = process.env.DATABASE_URL ?? '';
const name = `perdure_pooled_${randomBytes(4).toString('hex')}`;
const direct = () => {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
};

let pooler: Pooler;
const stacks: Stack[] = [];

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

beforeAll(async () => {
  if (server === '') throw new Error('This room needs a Postgres: pip fetches it, or DATABASE_URL names one');
  await onServer(`CREATE DATABASE ${name}`);
  pooler = await startPgbouncer(server);
});
afterAll(async () => {
  for (const stack of stacks) await stack.dispose();
  await pooler?.stop();
});

function logOf({ dataDir }: Stack): Promise<string> {
  return readFile(join(dataDir, 'logs/perdure.log'), 'utf8');
}

async function pooled(environment: Record<string, string>): Promise<Stack> {
  const stack = await startStack({ environment: { DATABASE_URL: pooler.urlOf(name), ...environment } });
  stacks.push(stack);
  return stack;
}

test('with DATABASE_LISTEN_URL a stack works behind it: loops, questions, statements that repeat', async () => {
  const stack = await pooled({ DATABASE_LISTEN_URL: direct(), DATABASE_PREPARED_STATEMENTS: '0' });
  const home = homeOn(stack);
  const nodes = [
    control('each', 'forEach', { items: Array.from({ length: 40 }, (_, n) => n), concurrency: 8 }),
    action('far', 'testing.succeed', { output: '{{ loop.item }}' }, { parentId: 'each' }),
    question('ask'),
    action('after', 'core.transform', { value: '{{ steps.ask.output.answer }}' }),
  ];
  const workflowId = await home.deploy({ nodes, edges: chain('each', 'ask', 'after') });
  const ids = await Promise.all(Array.from({ length: 5 }, () => home.execute(workflowId)));
  for (const id of ids) {
    await home.asked(id, 'ask');
    expect((await home.submit(id, 'ask', { answer: id })).status).toBe(200);
    expect(await home.ended(id)).toMatchObject({ status: 'COMPLETED', output: id });
  }
  // It listens, and warns that statements have no timeout, because the role has none.
  await poll(() => logOf(stack), { timeout: 20_000 }).toContain('no statement is cancelled in time');
  expect(await logOf(stack)).not.toContain('LISTEN hears nothing');
  await stack.stop();
  await onServer(`ALTER ROLE CURRENT_USER IN DATABASE ${name} SET statement_timeout = '60s'`);
  // Like the pooler's RECONNECT: its connections keep the role's settings from when they began.
  await onServer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
});

test('with the bound of its role it says nothing of that', async () => {
  const stack = stacks[0] as Stack;
  const from = (await logOf(stack)).length;
  await stack.startAgain();
  const home = homeOn(stack);
  expect((await home.run({ nodes: [action('a', 'core.set', { values: { a: 1 } })] })).status).toBe('COMPLETED');
  expect((await logOf(stack)).slice(from)).not.toContain('no statement is cancelled in time');
  await stack.stop();
});

test('without it the process reports that it receives no notifications, and executions still end', async () => {
  const stack = await pooled({ DATABASE_PREPARED_STATEMENTS: '0', DATABASE_STATEMENT_TIMEOUT_MS: '60000' }).catch(
    (error: Error) => error,
  );
  // PgBouncer rejects the startup parameter of a direct connection, and the start reports which one.
  if (stack instanceof Error) {
    expect(stack.message).toContain('statement_timeout');
    return;
  }
  await poll(() => logOf(stack), { timeout: 20_000 }).toContain('Set DATABASE_LISTEN_URL');
});
