// test: long
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createDatabase, type Database } from '../../prisma/client.ts';
import { migrate } from '../../prisma/migrate.ts';
import { hasVectors } from '../../prisma/store/database/capabilities.ts';
import { searchByVector } from '../../prisma/store/knowledge/search.ts';
import { wheelBinaries } from '../postgres/binaries.mjs';
import { type StartedPostgres, startPostgres } from '../postgres/startPostgres.mjs';
import { insertKnowledgeRows } from '../setup/database/knowledgeRows.ts';
import { insertOwnExecution } from '../setup/database/ownRows.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';

const STARTED_MS = 300_000;
let server: StartedPostgres;
beforeAll(async () => {
  server = await startPostgres((home) => wheelBinaries(home));
}, STARTED_MS);
afterAll(() => server?.stop());

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** Creates an empty database; returns the URLs of its superuser and of its owner, who is not one. */
async function ownedDatabase(): Promise<{ superuser: string; owner: string }> {
  const name = `owned_${randomBytes(6).toString('hex')}`;
  await run(server.url, `CREATE ROLE ${name} LOGIN PASSWORD 'p'`);
  await run(server.url, `CREATE DATABASE ${name} OWNER ${name}`);
  const superuser = Object.assign(new URL(server.url), { pathname: `/${name}` });
  const owner = Object.assign(new URL(superuser), { username: name, password: 'p' });
  return { superuser: superuser.href, owner: owner.href };
}

async function connected(url: string): Promise<Database> {
  const database = createDatabase(url, 2);
  onTestFinished(() => database.close());
  return database;
}

async function expectSearchable(database: Database, workspaceId: string): Promise<void> {
  const knowledgeId = await insertKnowledgeRows(database, workspaceId);
  const ready = "UPDATE knowledge_documents SET status = 'READY', parts = 1 WHERE knowledge_id = $1";
  await database.pool.query(ready, [knowledgeId]);
  const search = (vector: string) =>
    searchByVector(database, { workspaceId, knowledgeId, limit: 5, filter: {} }, vector);
  expect(await search('[1,0,0]')).toMatchObject([{ text: 'a text', score: 1 }]);
  expect(await search('[1,0]')).toEqual([]);
}

test('an owner without superuser rights migrates a database without pgvector; all but knowledge works', async () => {
  const { superuser, owner } = await ownedDatabase();
  expect(await migrate(owner)).not.toEqual([]);
  const database = await connected(owner);
  expect(await hasVectors(database)).toBe(false);
  const { workspaceId, executionId } = await insertOwnExecution(database);
  expect(await database.execution.count({ where: { id: executionId, workspaceId } })).toBe(1);

  await run(superuser, 'CREATE EXTENSION vector');
  expect(await hasVectors(database)).toBe(true);
  await expectSearchable(database, workspaceId);
});

test('an owner without superuser rights migrates a database that has pgvector', async () => {
  const { superuser, owner } = await ownedDatabase();
  await run(superuser, 'CREATE EXTENSION vector');
  expect(await migrate(owner)).not.toEqual([]);
  const database = await connected(owner);
  const { workspaceId } = await insertOwnExecution(database);
  await expectSearchable(database, workspaceId);
});
