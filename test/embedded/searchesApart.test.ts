// test: long, pglite
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Viewer } from '../../domain/access/viewer.ts';
import type { Database } from '../../prisma/client.ts';
import { countedPage } from '../../prisma/store/countedPage.ts';
import { searchByText } from '../../prisma/store/knowledge/search.ts';
import { objectConditions } from '../../prisma/store/object/objectFilters.ts';
import { OBJECT } from '../../prisma/store/object/resource.ts';
import { QUEUE_ITEM } from '../../prisma/store/queueItem/resource.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { type Reading, reading } from '../setup/database/reading.ts';

// Searches a small workspace for a word that is frequent in a large one. Long form, printing reads: SEARCHED=200000.

const LARGE = Number(process.env.SEARCHED ?? 10_000);
const SMALL = 200;
const WORD = 'overdue';
const FOUND = 3;
/** In the large workspace, one row in this many has it. */
const EVERY = 20;

interface Tenant {
  workspaceId: string;
  queueId: string;
  typeId: string;
  knowledgeId: string;
}

const tenant = (): Tenant => ({
  workspaceId: randomUUID(),
  queueId: randomUUID(),
  typeId: randomUUID(),
  knowledgeId: randomUUID(),
});

let own: MigratedDatabase;
const small = tenant();
const viewer: Viewer = {
  kind: 'apiKey',
  apiKeyId: randomUUID(),
  workspaceId: small.workspaceId,
  permissions: new Set(),
};

async function fill({ workspaceId, queueId, typeId, knowledgeId }: Tenant, count: number, has: string): Promise<void> {
  const client = await own.database.pool.connect();
  const run = (text: string, values: unknown[]) => client.query(text, values);
  const [documentId, row] = [
    randomUUID(),
    `SELECT gen_random_uuid() AS id, n, 'row ' || md5(n::text) || CASE WHEN ${has} THEN ' ${WORD}' ELSE '' END AS text
     FROM generate_series(1, ${count}) n`,
  ];
  try {
    await run('BEGIN', []);
    // Written explicitly instead of by triggers and foreign keys, which are not under test.
    await run('SET LOCAL session_replication_role = replica', []);
    await run("INSERT INTO workspaces (id, name) VALUES ($1, 'w')", [workspaceId]);
    await run("INSERT INTO object_types (id, workspace_id, slug, name) VALUES ($1, $2, 'a', 'A')", [
      typeId,
      workspaceId,
    ]);
    await run(
      `INSERT INTO knowledge_bases (id, workspace_id, name, embedding_provider, embedding_model, dimensions, chunk_size,
         chunk_overlap) VALUES ($1, $2, 'k', 'openai', 'm', 3, 800, 100)`,
      [knowledgeId, workspaceId],
    );
    await run("INSERT INTO queues (id, workspace_id, project_id, name) VALUES ($1, $2, $1, 'q')", [
      queueId,
      workspaceId,
    ]);
    await run(
      `WITH rows AS MATERIALIZED (${row}), items AS (
         INSERT INTO queue_items (id, workspace_id, queue_id, data, metadata) SELECT id, $1, $2, '{}', '{}' FROM rows
       )
       INSERT INTO queue_item_texts (item_id, workspace_id, queue_id, text) SELECT id, $1, $2, text FROM rows`,
      [workspaceId, queueId],
    );
    await run(
      `INSERT INTO objects (id, workspace_id, object_type_id, name, attributes) SELECT id, $1, $2, text, '{}' FROM (${row}) rows`,
      [workspaceId, typeId],
    );
    await run(
      `INSERT INTO knowledge_documents (id, workspace_id, knowledge_id, metadata, status, chunk_size, chunk_overlap)
       VALUES ($1, $2, $3, '{}', 'READY', 800, 100)`,
      [documentId, workspaceId, knowledgeId],
    );
    await run(
      `INSERT INTO knowledge_chunks (id, workspace_id, knowledge_id, document_id, part_number, text, tokens, search)
       SELECT id, $1, $2, $3, n, text, 3, to_tsvector('english', text) FROM (${row}) rows`,
      [workspaceId, knowledgeId, documentId],
    );
    await run('COMMIT', []);
  } finally {
    client.release();
  }
  await own.database.pool.query('VACUUM ANALYZE queue_items, queue_item_texts, objects, knowledge_chunks');
}

const PAGE = { limit: 25, offset: 0 };
const SEARCHES: [string, (database: Database, text: string) => Promise<unknown>][] = [
  [
    'items of a queue',
    (database, search) =>
      countedPage(database, viewer, QUEUE_ITEM, { filterBy: `search:${search}` }, PAGE, {
        scope: { queueId: small.queueId },
      }),
  ],
  [
    'entities of a type',
    (database, search) => {
      const conditions = objectConditions(small.workspaceId, { search, objectTypeId: small.typeId });
      return countedPage(database, viewer, OBJECT, {}, PAGE, { conditions });
    },
  ],
  [
    'entities of all types',
    (database, search) =>
      countedPage(database, viewer, OBJECT, {}, PAGE, {
        conditions: objectConditions(small.workspaceId, { search }),
      }),
  ],
  ['parts of a base', (database, search) => searchByText(database, { ...small, limit: 10, filter: {} }, search)],
];

const alone = new Map<string, Reading>();
const beside = new Map<string, Reading>();

async function readAll(found: Map<string, Reading>): Promise<void> {
  for (const [name, search] of SEARCHES) found.set(name, await reading(own.database, (it) => search(it, WORD)));
}

beforeAll(async () => {
  own = await startMigratedDatabase();
  await fill(small, SMALL, `n <= ${FOUND}`);
  await readAll(alone);
  await fill(tenant(), LARGE, `n % ${EVERY} = 0`);
  await readAll(beside);
}, 600_000);
afterAll(() => own?.dispose());

test.each(SEARCHES)(
  'a search of %s reads no rows of another workspace that often has the word',
  async (name, search) => {
    const before = performance.now();
    const found = (await search(own.database, WORD)) as { items: unknown[] } | unknown[];
    const ms = performance.now() - before;
    expect(Array.isArray(found) ? found : found.items).toHaveLength(FOUND);
    const [without, withOthers] = [alone.get(name), beside.get(name)];
    if (process.env.SEARCHED) {
      console.log(
        `${name}: ${without?.rows} rows, ${without?.blocks} blocks; beside ${LARGE} others ${withOthers?.rows} rows,`,
        `${withOthers?.blocks} blocks, ${ms.toFixed(1)} ms (${[...(withOthers?.indexes ?? [])]})`,
      );
    }
    const { rows } = await own.database.pool.query("SELECT FROM pg_available_extensions WHERE name = 'btree_gin'");
    // The embedded database always has it.
    if (!process.env.DATABASE_URL) expect(rows).toHaveLength(1);
    if (rows.length === 1) expect(withOthers?.rows).toBeLessThanOrEqual(4 * SMALL);
  },
);
