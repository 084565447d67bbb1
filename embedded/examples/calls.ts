import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import type { FirstCredentials } from '../credentials.ts';
import type { Say } from '../say.ts';

// The examples go the way of any caller: over HTTP, with the API key of credentials.json.

/** The arguments of an example. */
export interface ExampleRun {
  call: ExampleCall;
  credentials: Pick<FirstCredentials, 'url' | 'apiKey' | 'projectId' | 'temporalUiUrl'>;
  /** Of Temporal. */
  namespace: string;
  /** Where a script answers in place of a model (scriptedModel.ts); undefined where the deployment has a provider. */
  scriptedModel?: string;
  say: Say;
}

export type ExampleCall = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ json: unknown; headers: Headers }>;

export interface Execution {
  id: string;
  status: string;
  statusMessage: string | null;
  executionPath: Step[];
}

interface Step {
  nodeId: string;
  label: string;
  status: string;
  durationMs: number | null;
}

const CALL_MS = 30_000;
const SETTLE_MS = 20_000;

export function caller(credentials: Pick<FirstCredentials, 'url' | 'apiKey'>): ExampleCall {
  return async (method, path, body) => {
    const answer = await fetch(credentials.url + path, {
      method,
      headers: {
        'x-api-key': credentials.apiKey,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(CALL_MS),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return { json: text === '' ? undefined : JSON.parse(text), headers: answer.headers };
  };
}

/** A file of examples/ as text. */
export function readExample(file: string): Promise<string> {
  return readFile(join(PROJECT_ROOT, 'examples', file), 'utf8');
}

/** The id of the workflow. The same definition again makes no new version. */
export async function deploy({ call, credentials }: ExampleRun, definition: unknown): Promise<string> {
  const { json } = await call('POST', `/api/projects/${credentials.projectId}/workflows/upsert`, definition);
  return (json as { id: string }).id;
}

/** The id of the queue of that name; it is made where there is none. */
export async function provideQueue({ call, credentials }: ExampleRun, queue: { name: string }): Promise<string> {
  const { projectId } = credentials;
  const filter = encodeURIComponent(`projectId:${projectId},search:${queue.name}`);
  const found = (await call('GET', `/api/queues?filterBy=${filter}`)).json as { id: string; name: string }[];
  const same = found.find(({ name }) => name === queue.name);
  if (same) return same.id;
  return ((await call('POST', `/api/queues?projectId=${projectId}`, queue)).json as { id: string }).id;
}

/** Asks until it is so, 20 s at most; `found` says what there is otherwise. */
export async function waitFor<Value>(
  read: () => Promise<Value>,
  isSo: (value: Value) => boolean,
  found: (value: Value) => string,
): Promise<Value> {
  const deadline = Date.now() + SETTLE_MS;
  for (;;) {
    const value = await read();
    if (isSo(value)) return value;
    if (Date.now() > deadline) throw new Error(found(value));
    await sleep(50);
  }
}

export function readWhen(
  call: ExampleCall,
  id: string,
  isSettled: (execution: Execution) => boolean,
): Promise<Execution> {
  const path = `/api/executions/${id}?expansion=status,statusMessage,executionPath`;
  return waitFor(
    async () => (await call('GET', path)).json as Execution,
    isSettled,
    ({ status }) => `Execution ${id} is still ${status}`,
  );
}

/** `  Price each line   COMPLETED   3 ms` for each step. */
export function pathTable(path: Step[]): string[] {
  const rows = path.map(({ label, status, durationMs }) => [
    label,
    status,
    durationMs === null ? '' : `${durationMs} ms`,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => (row[column] ?? '').length)));
  return rows.map(
    ([label = '', status = '', duration = '']) =>
      `  ${label.padEnd(widths[0] ?? 0)}  ${status.padEnd(widths[1] ?? 0)}  ${duration.padStart(widths[2] ?? 0)}`,
  );
}
