import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { BenchStack } from './stack.ts';
import { ENTITIES, QUEUE_ITEMS } from './workRows.ts';

// Rows for measuring queues and entities, written by SQL because their creation is not measured.

export async function withDatabase<Value>(
  stack: BenchStack,
  work: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  const client = new pg.Client({ connectionString: stack.running.databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const queues = new WeakMap<BenchStack, Promise<string>>();
const types = new WeakMap<BenchStack, Promise<string>>();

/** Creates an inactive queue with QUEUE_ITEMS items, of which SEARCHED finds 0.1 %, and both tables for bare. */
export function filledQueue(stack: BenchStack): Promise<string> {
  const filled = queues.get(stack) ?? fillQueue(stack);
  queues.set(stack, filled);
  return filled;
}

function fillQueue(stack: BenchStack): Promise<string> {
  const { workspaceId, projectId } = stack.credentials;
  const queueId = randomUUID();
  return withDatabase(stack, async (client) => {
    await client.query(`INSERT INTO queues (id, workspace_id, project_id, name) VALUES ($1, $2, $3, 'bench')`, [
      queueId,
      workspaceId,
      projectId,
    ]);
    // A queue table by hand: claimed in order, with unique external ids.
    await client.query(`
      CREATE TABLE bare_items (
        id uuid PRIMARY KEY, queue_id uuid NOT NULL, external_id text, status text NOT NULL DEFAULT 'PENDING',
        priority int NOT NULL DEFAULT 0, data jsonb NOT NULL, metadata jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(), processing_started_at timestamptz, lease_expires_at timestamptz,
        lease_worker text,
        UNIQUE (queue_id, external_id));
      CREATE INDEX ON bare_items (queue_id, priority DESC, created_at, id) WHERE status = 'PENDING';
      CREATE TABLE same_items (LIKE queue_items INCLUDING ALL);`);
    const items = (columns: string, extra: string) => `(id, ${columns} queue_id, external_id, priority, data, metadata)
      SELECT gen_random_uuid(), ${extra} $1, 'order-' || n, n % 7,
        jsonb_build_object('order', n, 'customer', 'customer ' || n % 100, 'tag', 'needle-' || lpad((n % 1000)::text, 3, '0')),
        '{"source": "bench"}' FROM generate_series(1, ${QUEUE_ITEMS}) n`;
    for (const table of ['queue_items', 'same_items']) {
      await client.query(`INSERT INTO ${table} ${items('workspace_id,', '$2::uuid,')}`, [queueId, workspaceId]);
    }
    await client.query(`INSERT INTO bare_items ${items('', '')}`, [queueId]);
    await client.query('VACUUM ANALYZE queue_items, queue_item_texts, bare_items, same_items, queue_item_counts');
    return queueId;
  });
}

/** Returns the claimed items of both sides, so that each block finds the same queue. */
export async function returnClaimed(stack: BenchStack, queueId: string): Promise<void> {
  await withDatabase(stack, async (client) => {
    await client.query(
      `UPDATE queue_items SET status = 'PENDING', processing_started_at = NULL, lease_worker = NULL, lease_by = NULL,
        lease_expires_at = NULL WHERE queue_id = $1 AND status = 'PROCESSING'`,
      [queueId],
    );
    for (const table of ['bare_items', 'same_items']) {
      await client.query(`UPDATE ${table} SET status = 'PENDING', lease_expires_at = NULL WHERE status = 'PROCESSING'`);
    }
    await client.query('VACUUM ANALYZE queue_items, bare_items, same_items');
  });
}

export function filledType(stack: BenchStack): Promise<string> {
  const filled = types.get(stack) ?? fillType(stack);
  types.set(stack, filled);
  return filled;
}

const CHUNK = 50_000;

function fillType(stack: BenchStack): Promise<string> {
  const { workspaceId } = stack.credentials;
  const typeId = randomUUID();
  return withDatabase(stack, async (client) => {
    await client.query(
      `INSERT INTO object_types (id, workspace_id, slug, name) VALUES ($1, $2, 'bench-many', 'Bench')`,
      [typeId, workspaceId],
    );
    for (let from = 1; from <= ENTITIES; from += CHUNK) {
      await client.query(
        `INSERT INTO objects (id, workspace_id, object_type_id, name, state, attributes, created_at, updated_at)
        SELECT gen_random_uuid(), $1, $2, 'Entity ' || n, 'open', jsonb_build_object('number', n % 1000),
          now() - make_interval(secs => n), now() - make_interval(secs => n) FROM generate_series($3::int, $4::int) n`,
        [workspaceId, typeId, from, from + CHUNK - 1],
      );
    }
    await client.query('VACUUM ANALYZE objects');
    return typeId;
  });
}
