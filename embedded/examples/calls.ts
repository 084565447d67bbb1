import { setTimeout as sleep } from 'node:timers/promises';
import type { BundleResource } from '../../domain/bundle/bundle.ts';
import type { FirstCredentials } from '../credentials.ts';
import type { Say } from '../say.ts';

// Examples call the API like any client: over HTTP, with the API key of credentials.json.

export interface ExampleRun {
  call: ExampleCall;
  credentials: Pick<FirstCredentials, 'url' | 'apiKey' | 'projectId' | 'temporalUiUrl'>;
  namespace: string;
  /** Base URL of the script that replaces a model (scriptedModel.ts); undefined if the deployment has a provider. */
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

/** Applies these resources to the project, like `perdure apply`. */
export async function apply({ call, credentials }: ExampleRun, resources: readonly BundleResource[]): Promise<void> {
  await call('POST', `/api/projects/${credentials.projectId}/apply`, { resources, owner: 'examples' });
}

export async function idOf(
  { call, credentials }: ExampleRun,
  list: 'workflows' | 'queues' | 'agents' | 'knowledge',
  slug: string,
): Promise<string> {
  // Knowledge bases belong to the workspace.
  const filter = list === 'knowledge' ? '' : `&filterBy=projectId:${credentials.projectId}`;
  const { json } = await call('GET', `/api/${list}?limit=1000&expansion=slug${filter}`);
  const found = (json as { id: string; slug: string }[]).find((each) => each.slug === slug);
  if (found === undefined) throw new Error(`There is no ${slug} among the ${list} of the project`);
  return found.id;
}

/** Polls for at most 20 s; `found` describes the unexpected value. */
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
