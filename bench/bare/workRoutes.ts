import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from '@temporalio/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import express, { Router } from 'express';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import { runBlock } from '../load.ts';
import { authenticate } from './authenticate.ts';
import type * as workflows from './workflows.ts';

interface ImportedRow {
  Name: string;
  Total: string;
  Mail: string;
}

export function workRoutes({ workflow }: Client, pool: pg.Pool, taskQueue: string): Router {
  const options = () => ({ workflowId: randomUUID(), taskQueue, requestEagerStart: true });
  const router = Router();
  router.use(express.json({ limit: '32mb' }));

  const LINES = {
    bare_items: { ready: "status = 'PENDING'", order: 'priority DESC, created_at, id' },
    same_items: { ready: 'ready_rank IS NOT NULL', order: 'ready_rank DESC, created_at, id' },
  };

  router.post('/claim', async (request, response) => {
    await authenticate(pool, request);
    const table = request.body.table as keyof typeof LINES;
    const { ready, order } = LINES[table];
    const { rows } = await pool.query(
      `UPDATE ${table} SET status = 'PROCESSING', processing_started_at = now(), lease_worker = 'bench',
        lease_expires_at = now() + interval '1 hour'
      WHERE id IN (SELECT id FROM ${table} WHERE queue_id = $1 AND ${ready}
        ORDER BY ${order} LIMIT $2 FOR UPDATE SKIP LOCKED)
      RETURNING id, external_id, status, priority, data, metadata`,
      [request.body.queueId, request.body.limit],
    );
    response.json(rows);
  });

  const COLUMNS = 'id, external_id, status, priority, data, metadata, object_id, retry_count, last_error';

  router.post('/page', async (request, response) => {
    const where = [await authenticate(pool, request), request.body.queueId];
    const page = await pool.query(
      `SELECT ${COLUMNS} FROM queue_items WHERE workspace_id = $1 AND queue_id = $2
      ORDER BY priority DESC, created_at, id LIMIT $3`,
      [...where, request.body.limit],
    );
    const count = await pool.query(
      'SELECT count(*)::int AS total FROM queue_items WHERE workspace_id = $1 AND queue_id = $2',
      where,
    );
    response.json({ items: page.rows, total: count.rows[0].total });
  });

  router.post('/search', async (request, response) => {
    const where = [await authenticate(pool, request), request.body.queueId, `%${request.body.text}%`];
    const page = await pool.query(
      `SELECT ${COLUMNS} FROM queue_items WHERE workspace_id = $1 AND queue_id = $2
      AND id IN (SELECT item_id FROM queue_item_texts WHERE text ILIKE $3) ORDER BY priority DESC, created_at, id LIMIT $4`,
      [...where, request.body.limit],
    );
    const count = await pool.query(
      'SELECT count(*)::int AS total FROM queue_items WHERE workspace_id = $1 AND queue_id = $2 AND id IN (SELECT item_id FROM queue_item_texts WHERE text ILIKE $3)',
      where,
    );
    response.json({ items: page.rows, total: count.rows[0].total });
  });

  router.post('/stats', async (request, response) => {
    const { rows } = await pool.query(
      `SELECT status, count(*)::int AS items, count(*) FILTER (WHERE retry_count > 0)::int AS retried,
        avg(extract(epoch FROM processing_completed_at - processing_started_at)) AS seconds
      FROM queue_items WHERE workspace_id = $1 AND queue_id = $2 GROUP BY status`,
      [await authenticate(pool, request), request.body.queueId],
    );
    response.json(rows);
  });

  router.post('/entities', async (request, response) => {
    const where = [await authenticate(pool, request), request.body.typeId];
    const page = await pool.query(
      `SELECT id, name, state, object_type_id FROM objects
      WHERE workspace_id = $1 AND object_type_id = $2 AND deleted_at IS NULL ORDER BY updated_at DESC, id DESC LIMIT $3`,
      [...where, request.body.limit],
    );
    const count = await pool.query(
      'SELECT count(*)::int AS total FROM objects WHERE workspace_id = $1 AND object_type_id = $2 AND deleted_at IS NULL',
      where,
    );
    response.json({ items: page.rows, total: count.rows[0].total });
  });

  router.post('/import', async (request, response) => {
    const workspaceId = await authenticate(pool, request);
    const { schema, rows, typeId } = request.body as { schema: object; rows: ImportedRow[]; typeId?: string };
    const ajv = new Ajv2020({ coerceTypes: true });
    ajvFormats.default(ajv);
    const validate = ajv.compile(schema);
    const lines: string[] = [];
    const ofOurs = typeId === undefined ? [] : [workspaceId, typeId];
    for (const { Name, Total, Mail } of rows) {
      const attributes = { total: Total, email: Mail };
      if (!validate(attributes)) throw new Error(ajv.errorsText(validate.errors));
      lines.push(csvLine([randomUUID(), Name, JSON.stringify(attributes), ...ofOurs]));
    }
    if (typeId === undefined) {
      await pool.query(
        'CREATE TABLE IF NOT EXISTS bare_objects (id uuid PRIMARY KEY, name text NOT NULL, attributes jsonb NOT NULL)',
      );
      await copyIn(pool, 'bare_objects (id, name, attributes)', lines);
    } else {
      await pool.query('CREATE TABLE IF NOT EXISTS same_objects (LIKE objects INCLUDING ALL)');
      await copyIn(pool, 'same_objects (id, name, attributes, workspace_id, object_type_id)', lines);
    }
    response.json({ created: rows.length });
  });

  router.post('/drain', async ({ body }, response) => {
    const { batches, size, atOnce } = body as { batches: number; size: number; atOnce: number };
    const args: Parameters<typeof workflows.oneBatch> = [Array.from({ length: size }, (_, number) => ({ number }))];
    await runBlock(batches, atOnce, () => workflow.execute('oneBatch', { ...options(), args }));
    response.json(true);
  });

  router.post('/start', async (request, response) => {
    await authenticate(pool, request);
    const calledAt = Date.now();
    response.json({ calledAt, startedAt: await workflow.execute<typeof workflows.oneStamp>('oneStamp', options()) });
  });
  return router;
}

function csvLine(values: readonly string[]): string {
  return `${values.map((value) => `"${value.replaceAll('"', '""')}"`).join(',')}\n`;
}

async function copyIn(pool: pg.Pool, table: string, lines: readonly string[]): Promise<void> {
  const client = await pool.connect();
  try {
    await pipeline(Readable.from([lines.join('')]), client.query(from(`COPY ${table} FROM STDIN (FORMAT csv)`)));
  } finally {
    client.release();
  }
}
