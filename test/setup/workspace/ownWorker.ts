import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { onTestFinished } from '../jest/onTestFinished.ts';
import { inject } from '../stack/inject.ts';
import type { Home } from './home.ts';

export interface OwnApp {
  slug: string;
  taskQueue: string;
}

const VALUE = { key: 'value', label: 'Value', type: 'json' };
const SECRET = { key: 'password', label: 'Password', type: 'secret' };
const ANSWER = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };

const WORKFLOWS = ['twice', 'refuses', 'gives_up', 'lasts'];

export const OWN_ACTIONS = [
  { actionId: 'work', inputConfig: { fields: [VALUE, SECRET] } },
  { actionId: 'judged', inputConfig: { fields: [VALUE] }, outputSchema: ANSWER },
  { actionId: 'quick_beats', inputConfig: { fields: [VALUE] }, heartbeatTimeoutMs: 1_000 },
  { actionId: 'patient', inputConfig: { fields: [VALUE] }, heartbeatTimeoutMs: 600_000 },
  ...WORKFLOWS.map((actionId) => ({ actionId, inputConfig: { fields: [VALUE] } })),
];

/** Stores an app whose actions run on a task queue of its own. */
export async function ownApp(home: Home, more: Record<string, unknown> = {}): Promise<OwnApp> {
  const slug = `own-${randomUUID().slice(0, 8)}`;
  const taskQueue = `of-test-${slug}`;
  const runs = { on: 'worker', taskQueue, workflows: WORKFLOWS };
  const body = { slug, runs, actions: OWN_ACTIONS, ...more };
  const answer = await home.api('POST', `/api/projects/${home.projectId}/apps/upsert`, { body });
  if (answer.status !== 200) throw new Error(`The app was refused: ${JSON.stringify(answer.body)}`);
  return { slug, taskQueue };
}

export interface OwnWorker {
  stop(): Promise<void>;
}

/** A customer's worker, of the TypeScript SDK. It ends with the test. */
export async function ownWorker(
  { taskQueue }: Pick<OwnApp, 'taskQueue'>,
  activities: NonNullable<WorkerOptions['activities']>,
  options: Partial<WorkerOptions> & { withWorkflows?: boolean } = {},
  address = inject('stack').temporalAddress,
): Promise<OwnWorker> {
  const { withWorkflows = false, ...more } = options;
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    ...{ connection, taskQueue, activities, shutdownForceTime: '1 second' },
    ...(withWorkflows ? { workflowsPath: fileURLToPath(new URL('ownWorkflows.ts', import.meta.url)) } : {}),
    ...more,
  });
  const running = worker.run();
  let isStopped = false;
  async function stop() {
    if (isStopped) return;
    isStopped = true;
    worker.shutdown();
    await running.catch(() => undefined);
    await connection.close();
  }
  onTestFinished(stop);
  return { stop };
}
