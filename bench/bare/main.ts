import { createHash, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { bundleWorkflowCode, NativeConnection, Worker } from '@temporalio/worker';
import express from 'express';
import pg from 'pg';
import { pino } from 'pino';
import { installTemporalRuntime } from '../../engine/temporal/temporalRuntime.ts';
import { tuning } from '../../worker/tuning.ts';
import { runBlock } from '../load.ts';
import { ORDER, type Order } from '../order.ts';
import type { RowName } from '../rows.ts';
import * as activities from './activities.ts';
import { agentRoutes } from './agentRoutes.ts';
import { engineRoutes } from './engineRoutes.ts';
import { knowledgeRoutes } from './knowledgeRoutes.ts';
import { providerRoutes } from './providerRoutes.ts';
import type { nothing, oneLocalActivity, threeActivities } from './workflows.ts';
import { workRoutes } from './workRoutes.ts';

// The other side of the bench: Express, pg and the Temporal SDK by hand. Ends when the bench closes its channel.

const { BARE_TEMPORAL_ADDRESS, BARE_DATABASE_URL, BARE_API_KEY, BARE_EMBEDDINGS_URL } = process.env;
const taskQueue = 'bench-bare';
const quiet = { log() {}, trace() {}, debug() {}, info() {}, warn: console.warn, error: console.error };

installTemporalRuntime(pino({ level: 'warn' }));
const connection = await NativeConnection.connect({ address: BARE_TEMPORAL_ADDRESS });
const client = new Client({ connection });
const pool = new pg.Pool({ connectionString: BARE_DATABASE_URL, max: 10 });
const workflowsPath = fileURLToPath(new URL('./workflows.js', import.meta.url));
const worker = await Worker.create({
  connection,
  taskQueue,
  workflowBundle: await bundleWorkflowCode({ workflowsPath, logger: quiet }),
  activities,
  maxConcurrentActivityTaskExecutions: 200,
  ...tuning,
});

interface Done {
  workflowId?: string;
  body: unknown;
}

function startOptions() {
  return { workflowId: randomUUID(), taskQueue, requestEagerStart: true };
}

async function list(apiKey: string): Promise<Done> {
  const hash = createHash('sha256').update(apiKey).digest();
  const key = await pool.query(
    'SELECT workspace_id FROM api_keys WHERE key_hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())',
    [hash],
  );
  if (key.rows.length === 0) throw new Error('the API key is unknown');
  const { rows } = await pool.query(
    'SELECT id, name FROM workflows WHERE workspace_id = $1 ORDER BY updated_at DESC, id DESC LIMIT 100',
    [key.rows[0].workspace_id],
  );
  return { body: rows };
}

const WORK: Record<RowName, (order: Order, apiKey: string) => Promise<Done>> = {
  async inline(order) {
    const options = startOptions();
    const body = await client.workflow.execute<typeof oneLocalActivity>('oneLocalActivity', {
      ...options,
      args: [order],
    });
    return { workflowId: options.workflowId, body };
  },
  async remote(order) {
    const options = startOptions();
    const body = await client.workflow.execute<typeof threeActivities>('threeActivities', {
      ...options,
      args: [order],
    });
    return { workflowId: options.workflowId, body };
  },
  async execute() {
    const { workflowId } = await client.workflow.start<typeof nothing>('nothing', startOptions());
    return { workflowId, body: { executionId: workflowId } };
  },
  list: (_order, apiKey) => list(apiKey),
};

function isRow(name: string): name is RowName {
  return Object.hasOwn(WORK, name);
}

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.all('/work/:row', express.json(), async (request, response) => {
  const { row } = request.params;
  if (!isRow(row)) throw new Error(`no row ${row}`);
  const { workflowId, body } = await WORK[row](request.body as Order, request.get('x-api-key') ?? '');
  if (workflowId !== undefined) response.setHeader('x-execution-id', workflowId);
  response.status(row === 'execute' ? 201 : 200).json(body);
});
app.use('/engine', engineRoutes(client, taskQueue));
app.use('/work-surface', workRoutes(client, pool, taskQueue));
app.use('/knowledge-surface', knowledgeRoutes(BARE_DATABASE_URL, BARE_EMBEDDINGS_URL));
app.use('/agents', agentRoutes(client, taskQueue));
app.use('/provider', providerRoutes());
/** Does the same work without HTTP, to measure the cost of the SDK alone. */
app.post('/in-process/:row', express.json(), async (request, response) => {
  const { row } = request.params;
  if (!isRow(row)) throw new Error(`no row ${row}`);
  const { count, clients } = request.body as { count: number; clients: number };
  response.json(await runBlock(count, clients, () => WORK[row](ORDER, BARE_API_KEY ?? '')));
});

const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.once('disconnect', () => worker.shutdown());
await worker.run();
server.closeAllConnections();
server.close();
await pool.end();
await connection.close();
