// test: long
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { createWorkspace } from '../../api/access/createWorkspace.ts';
import { buildApp } from '../../api/app.ts';
import type { OperationRequest } from '../../api/operation.ts';
import { OPERATIONS, type OperationTable } from '../../api/operations/table.ts';
import { ALL_BUCKETS } from '../../domain/buckets.ts';
import type { Database } from '../../prisma/client.ts';
import { claimUnstarted } from '../../prisma/store/execution/reconcileQueries.ts';
import { insertKnowledgeRows } from '../setup/database/knowledgeRows.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnWorkspace } from '../setup/database/ownRows.ts';
import { poll } from '../setup/jest/poll.ts';
import { type OwnApi, startOwnApi } from '../setup/stack/ownApi.ts';

describe('reads', () => {
  /** One workspace may use half of these connections. */
  const POOL = 4;

  let own: OwnApi;
  let url: string;
  let neighbour: { apiKey: string; workspaceId: string };
  let inside = 0;
  let release = () => {};
  let held: Promise<void>;

  beforeAll(async () => {
    own = await startOwnApi({ READS_AT_ONCE: String(POOL), DATABASE_POOL_SIZE: '100' });
    neighbour = await createWorkspace(own.database, { name: 'n', email: 'n@example.com', password: 'a long password' });
    const { workspaceId, database } = own;
    const slowly = async (request: OperationRequest<'listProjects'> & { caller: { workspaceId: string } }) => {
      if (request.caller.workspaceId !== workspaceId) return OPERATIONS.listProjects(request as never);
      const connection = await database.pool.connect();
      inside += 1;
      try {
        await held;
        return [];
      } finally {
        inside -= 1;
        connection.release();
      }
    };
    url = await own.serve(buildApp(own.services, { ...OPERATIONS, listProjects: slowly } as unknown as OperationTable));
  });
  afterAll(() => own?.dispose());

  const read = (key: string, signal: AbortSignal | null = null) =>
    fetch(`${url}/api/projects`, { headers: { 'x-api-key': key }, signal });

  const holdReads = () => {
    held = new Promise((resolve) => {
      release = resolve;
    });
  };

  test('a workspace with many slow reads leaves a neighbour its connections, and all of its reads are answered', async () => {
    holdReads();
    const many = Array.from({ length: 40 }, () => read(own.apiKey));
    await poll(() => inside).toBe(POOL / 2);
    // Each of these looks up its key and reads on the remaining connections.
    const beside = await Promise.all(Array.from({ length: 10 }, () => read(neighbour.apiKey)));
    expect(beside.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(inside).toBe(POOL / 2);
    const written = await fetch(`${url}/api/projects`, {
      method: 'POST',
      headers: { 'x-api-key': own.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'beside' }),
    });
    expect(written.status).toBe(201);
    release();
    expect((await Promise.all(many)).map(({ status }) => status)).toEqual(Array(40).fill(200));
  });

  test('a caller that leaves while its read waits gets no read', async () => {
    holdReads();
    const running = [read(own.apiKey), read(own.apiKey)];
    await poll(() => inside).toBe(POOL / 2);
    const leaving = new AbortController();
    const gone = Array.from({ length: 5 }, () => read(own.apiKey, leaving.signal).catch((error) => error.name));
    const last = read(own.apiKey);
    leaving.abort();
    expect(await Promise.all(gone)).toEqual(Array(5).fill('AbortError'));
    release();
    expect((await Promise.all([...running, last])).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(inside).toBe(0);
  });

  async function rowsOf(workspaceId: string, count: number) {
    const { database } = own;
    const objectTypeId = randomUUID();
    const type = { id: objectTypeId, workspaceId, slug: 'large', name: 'Large', allowUnknownAttributes: true };
    await database.objectType.create({ data: type });
    await database.$executeRaw`INSERT INTO objects (id, workspace_id, object_type_id, name, attributes)
    SELECT gen_random_uuid(), ${workspaceId}::uuid, ${objectTypeId}::uuid, 'o', jsonb_build_object('text', repeat('x', 100000))
    FROM generate_series(1, ${count}::int)`;
    return { knowledgeId: await insertKnowledgeRows(database, workspaceId) };
  }

  const post = (key: string, path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const exported = (key: string) => post(key, '/api/objects/export', { objectTypeSlug: 'large', fields: ['text'] });
  const search = (key: string, knowledgeId: string) =>
    post(key, `/api/knowledge/${knowledgeId}/search`, { query: 'text', mode: 'text' });

  test('exports and searches wait among the reads of their workspace, and a slow client holds no place', async () => {
    const mine = await rowsOf(own.workspaceId, 250);
    const theirs = await rowsOf(neighbour.workspaceId, 1);
    holdReads();
    const running = [read(own.apiKey), read(own.apiKey)];
    await poll(() => inside).toBe(POOL / 2);
    let answered = 0;
    const waiting = [...Array.from({ length: 4 }, () => exported(own.apiKey)), search(own.apiKey, mine.knowledgeId)];
    for (const each of waiting) void each.then(() => (answered += 1));
    for (let round = 0; round < 5; round += 1) {
      const beside = await Promise.all([exported(neighbour.apiKey), search(neighbour.apiKey, theirs.knowledgeId)]);
      expect(beside.map(({ status }) => status)).toEqual([201, 200]);
      expect(await beside[0]?.json()).toHaveLength(1);
    }
    expect(answered).toBe(0);
    release();
    await Promise.all(running);
    const answers = await Promise.all(waiting);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 200]);
    // More bodies than places are still unread; the workspace's other reads continue.
    expect((await read(own.apiKey)).status).toBe(200);
    expect((await search(own.apiKey, mine.knowledgeId)).status).toBe(200);
    expect(await answers[0]?.json()).toHaveLength(250);
    await Promise.all(answers.slice(1).map((answer) => answer.body?.cancel()));
    expect(await (await exported(own.apiKey)).json()).toHaveLength(250);
  });
});

describe('batches', () => {
  let own: MigratedDatabase;
  let database: Database;

  beforeAll(async () => {
    own = await startMigratedDatabase();
    ({ database } = own);
  });
  afterAll(() => own?.dispose());

  /** Longer than the test, so that claimed rows are not due again. */
  const SETTLING_MS = 30_000;

  async function unstarted(workspaceId: string, count: number, ageSeconds: number): Promise<void> {
    const at = new Date(Date.now() - ageSeconds * 1_000);
    await database.execution.createMany({
      data: Array.from({ length: count }, (_, number) => ({
        ...{
          id: v7(),
          workspaceId,
          versionId: v7(),
          number,
          name: 'w',
          source: 'WORKFLOW',
          trigger: {},
          variables: {},
        },
        reconciledAt: at,
      })),
    });
  }

  test('a batch of starts takes from each workspace in turn, and the rest comes next', async () => {
    const [many, few] = [await insertOwnWorkspace(database), await insertOwnWorkspace(database)];
    await unstarted(many, 150, 600);
    await unstarted(few, 3, 60);
    const first = await claimUnstarted(database, SETTLING_MS, ALL_BUCKETS, 100);
    expect(first).toHaveLength(100);
    expect(first.filter(({ workspaceId }) => workspaceId === few)).toHaveLength(3);
    const second = await claimUnstarted(database, SETTLING_MS, ALL_BUCKETS, 100);
    expect(second).toHaveLength(53);
    expect(new Set([...first, ...second].map(({ executionId }) => executionId)).size).toBe(153);
    expect(await claimUnstarted(database, SETTLING_MS, ALL_BUCKETS, 100)).toEqual([]);
  });
});
