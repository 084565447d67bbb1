import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type pg from 'pg';
import { v7 } from 'uuid';
import { buildCatalogue } from '../../activities/apps/catalogue.ts';
import type { Caller } from '../../api/access/caller.ts';
import type { WantedResource } from '../../api/operations/bundles/checkResources.ts';
import { writeWanted } from '../../api/operations/bundles/writePlan.ts';
import type { Services } from '../../api/services.ts';
import { readConfig } from '../../config.ts';
import type { StoredResource } from '../../domain/bundle/bundle.ts';
import type { JsonObject } from '../../domain/json.ts';
import { createCredentialVault } from '../../engine/secrets/credentialVault.ts';
import { createSealer } from '../../engine/secrets/sealer.ts';
import { noteApply, takeTurn } from '../../prisma/store/bundle/writeBundle.ts';
import { inTransaction } from '../../prisma/transaction.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnWorkspace } from '../setup/database/ownRows.ts';

// A process that dies before the last statement of an applied bundle has written nothing; after it, everything.

let own: MigratedDatabase;
const catalogue = buildCatalogue({ testing: false });
const encryptionKey = `k:${randomBytes(32).toString('base64')}`;
const services = {
  ...{ catalogue, config: readConfig({}) },
  vault: createCredentialVault(encryptionKey),
  sealer: createSealer(encryptionKey),
} as Services;

beforeAll(async () => {
  own = await startMigratedDatabase(4);
});
afterAll(() => own?.dispose());

const workflow = (nodes: object[], more: object = {}) => ({
  ...{ name: 'w', description: null, isActive: true, isInternal: false, orientation: 'horizontal', timeoutMs: null },
  ...{ maxConcurrent: null, onFailureWorkflowId: null, trigger: { id: 'trigger', type: 'manual', config: {} } },
  ...{ nodes, edges: [], ...more },
});

function wanted(moved?: StoredResource): WantedResource[] {
  const [first, second, queueId] = [v7(), v7(), moved?.id ?? v7()];
  const node = { id: 'a', type: 'action', appId: 'core', actionId: 'set', inputs: { values: {} } };
  const trigger = { id: 'trigger', type: 'queue', config: { queueId } };
  const of = (kind: WantedResource['kind'], slug: string, id: string, fields: object): WantedResource => {
    const stored = id === moved?.id ? moved : undefined;
    const given = { kind, slug, id, path: '', body: {}, stored, fields: fields as JsonObject };
    return { ...given, raw: { kind, slug } };
  };
  const queue = { priority: 0, isActive: true, maxRetries: 3, retryDelayMinutes: 5, batchSize: 10, maxConcurrent: 1 };
  const base = { embeddingProvider: 'local', embeddingModel: 'm', dimensions: 8, chunkSize: 800, chunkOverlap: 100 };
  const rules = { attributeSchema: null, stateSchema: null, allowUnknownAttributes: false, isEnabled: true };
  return [
    of('app', 'billing', v7(), { runs: { on: 'http', baseUrl: 'https://x.example' }, actions: [{ actionId: 'do' }] }),
    of('workflow', 'one', first, workflow([node], { trigger, onFailureWorkflowId: second })),
    of('workflow', 'two', second, workflow([node], { onFailureWorkflowId: first })),
    of('queue', 'q', queueId, { name: 'q', description: null, ...queue }),
    of('knowledge', 'k', v7(), { name: 'k', description: null, ...base }),
    of('objectType', 't', v7(), { name: 't', description: null, ...rules }),
    of('variable', 'PLAIN', v7(), { description: null, isSecret: false, value: 1 }),
    of('variable', 'TOKEN', v7(), { description: null, isSecret: true, value: 'secret' }),
    of('agent', 'a', v7(), { name: 'a', description: null, instructions: 'i', model: 'm', workflowIds: [second] }),
  ];
}

/** Applies with a connection that breaks after `most` statements, like that of a killed process. */
async function applied(workspaceId: string, projectId: string, most: number, moved?: StoredResource): Promise<number> {
  const { pool } = own.database;
  let asked = 0;
  const killable = {
    ...own.database,
    pool: {
      async connect(): Promise<pg.PoolClient> {
        const client = await pool.connect();
        const query = client.query.bind(client) as (...args: unknown[]) => unknown;
        // biome-ignore lint/suspicious/noExplicitAny: the driver's own stream
        const socket = (client as any).connection.stream;
        const counted = (...args: unknown[]) => {
          asked += 1;
          if (asked > most) socket.destroy();
          return query(...args);
        };
        return Object.assign(client, { query: counted }) as pg.PoolClient;
      },
    },
  } as unknown as typeof own.database;
  const caller: Caller = {
    workspaceId,
    permissions: new Set(),
    kind: 'apiKey',
    apiKeyId: v7(),
    keyHash: new Uint8Array(),
  };
  await inTransaction(killable, async (database) => {
    await takeTurn(database, workspaceId);
    await writeWanted(
      { services, database, caller, projectId, owner: 'o', announced: new Map(), madeSecrets: new Map() },
      wanted(moved),
    );
    await noteApply(database, workspaceId, projectId, { id: v7(), answer: {} });
  });
  return asked;
}

async function counts(workspaceId: string): Promise<number[]> {
  const tables = ['workflows', 'workflow_versions', 'agents', 'queues', 'queue_consumers', 'variables', 'object_types'];
  const found = [];
  for (const table of [
    ...tables,
    'knowledge_bases',
    'apps',
    'app_versions',
    'app_secrets',
    'projects WHERE last_apply_id IS NOT NULL AND',
  ]) {
    const where = table.includes('WHERE') ? table : `${table} WHERE`;
    const rows = await own.database.$queryRawUnsafe<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM ${where} workspace_id = '${workspaceId}'`,
    );
    found.push(rows[0]?.count ?? -1);
  }
  return found;
}

async function place() {
  const workspaceId = await insertOwnWorkspace(own.database);
  const { id: projectId } = await own.database.project.create({ data: { id: v7(), workspaceId, name: 'p' } });
  return { workspaceId, projectId };
}

/** A stored queue that the bundle moves to `q`. */
async function queueToMove(workspaceId: string, projectId: string): Promise<StoredResource> {
  const id = v7();
  await own.database.queue.create({ data: { id, workspaceId, projectId, name: 'q', slug: 'before' } });
  return { kind: 'queue', id, slug: 'q', movedFrom: 'before', isOfCode: true, owner: projectId, fields: { name: 'q' } };
}

test('a move that is killed at any statement leaves the old slug; after the last the new one', async () => {
  const slugOf = async ({ id }: StoredResource) =>
    (await own.database.queue.findUniqueOrThrow({ where: { id }, select: { slug: true } })).slug;
  const whole = await place();
  const moved = await queueToMove(whole.workspaceId, whole.projectId);
  const statements = await applied(whole.workspaceId, whole.projectId, 1_000, moved);
  expect([await slugOf(moved), (await counts(whole.workspaceId))[3]]).toEqual(['q', 1]);
  for (let most = 0; most < statements; most++) {
    const { workspaceId, projectId } = await place();
    const stays = await queueToMove(workspaceId, projectId);
    await expect(applied(workspaceId, projectId, most, stays)).rejects.toThrow();
    expect([most, await slugOf(stays), (await counts(workspaceId))[0]]).toEqual([most, 'before', 0]);
  }
}, 120_000);

test('killed at any statement: nothing; after the last: all', async () => {
  const whole = await place();
  const statements = await applied(whole.workspaceId, whole.projectId, 1_000);
  expect(statements).toBeGreaterThan(12);
  expect(await counts(whole.workspaceId)).toEqual([2, 2, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1]);
  for (let most = 0; most < statements; most++) {
    const { workspaceId, projectId } = await place();
    await expect(applied(workspaceId, projectId, most)).rejects.toThrow();
    expect([most, await counts(workspaceId)]).toEqual([most, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]);
  }
}, 120_000);
