import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createWorkspace } from '../../api/access/createWorkspace.ts';
import { buildApp } from '../../api/app.ts';
import type { OperationRequest } from '../../api/operation.ts';
import { OPERATIONS, type OperationTable } from '../../api/operations/table.ts';
import { type OwnApi, startOwnApi } from '../setup/ownApi.ts';
import { poll } from '../setup/poll.ts';

/** One workspace has half of them. */
const POOL = 4;

let own: OwnApi;
let url: string;
let neighbour: string;
let inside = 0;
let release = () => {};
let held: Promise<void>;

beforeAll(async () => {
  own = await startOwnApi({ DATABASE_POOL_SIZE: String(POOL) });
  neighbour = (await createWorkspace(own.database, { name: 'n', email: 'n@example.com', password: 'a long password' }))
    .apiKey;
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
  // Each of these looks its key up and reads, by the connections that are left.
  const beside = await Promise.all(Array.from({ length: 10 }, () => read(neighbour)));
  expect(beside.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(inside).toBe(POOL / 2);
  // A write of the busy workspace does not wait behind its reads.
  const written = await fetch(`${url}/api/projects`, {
    method: 'POST',
    headers: { 'x-api-key': own.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'beside' }),
  });
  expect(written.status).toBe(201);
  release();
  expect((await Promise.all(many)).map(({ status }) => status)).toEqual(Array(40).fill(200));
});

test('who goes away while a read waits in line is not read for', async () => {
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
