import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROJECT_ROOT } from '../projectRoot.ts';
import type { Credentials } from './credentials.ts';
import type { Say } from './say.ts';

// The examples go the way of any caller: over HTTP, with the API key of credentials.json.

interface Step {
  nodeId: string;
  label: string;
  status: string;
  durationMs: number | null;
}

interface Execution {
  id: string;
  status: string;
  statusMessage: string | null;
  executionPath: Step[];
}

type Call = (method: string, path: string, body?: unknown) => Promise<{ json: unknown; headers: Headers }>;

const CALL_MS = 30_000;
const SETTLE_MS = 20_000;

function caller(credentials: Credentials): Call {
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

/** The same definition again makes no new version. */
async function deploy(call: Call, projectId: string, file: string): Promise<string> {
  const definition = JSON.parse(await readFile(join(PROJECT_ROOT, 'examples', file), 'utf8'));
  const { json } = await call('POST', `/api/projects/${projectId}/workflows/upsert`, definition);
  return (json as { id: string }).id;
}

async function readExecution(call: Call, id: string): Promise<Execution> {
  const { json } = await call('GET', `/api/executions/${id}?expansion=status,statusMessage,executionPath`);
  return json as Execution;
}

async function readWhen(call: Call, id: string, isSettled: (execution: Execution) => boolean): Promise<Execution> {
  const deadline = Date.now() + SETTLE_MS;
  for (;;) {
    const execution = await readExecution(call, id);
    if (isSettled(execution)) return execution;
    if (Date.now() > deadline) throw new Error(`Execution ${id} is still ${execution.status}`);
    await sleep(50);
  }
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

async function runSummary(call: Call, projectId: string, say: Say): Promise<void> {
  const workflowId = await deploy(call, projectId, 'order-summary.json');
  const order = {
    customer: 'Ada',
    items: [
      { name: 'pencil', price: 1.5, quantity: 10 },
      { name: 'notebook', price: 4, quantity: 25 },
    ],
  };
  const startedAt = performance.now();
  const { json, headers } = await call('POST', `/api/webhooks/workflows/${workflowId}`, order);
  const tookMs = Math.round(performance.now() - startedAt);
  const executionId = headers.get('x-execution-id') ?? '';
  const execution = await readWhen(call, executionId, ({ status }) => status === 'COMPLETED' || status === 'FAILED');
  say('');
  say(`Example 1, examples/order-summary.json: webhook → three transformations and a condition → answer`);
  for (const line of pathTable(execution.executionPath)) say(line);
  say(
    `  ${execution.status}${execution.statusMessage ? `: ${execution.statusMessage}` : ''}, answered in ${tookMs} ms:`,
  );
  say(`  ${JSON.stringify(json)}`);
}

/** The execution of a former start that still waits, so that restarts do not pile them up. */
async function findWaiting(call: Call, workflowId: string): Promise<string | undefined> {
  const { json } = await call('GET', `/api/executions?filterBy=workflowId:${workflowId}&expansion=status&limit=100`);
  return (json as { id: string; status: string }[]).find(({ status }) => status === 'NEEDS_INPUT')?.id;
}

async function runApproval(call: Call, credentials: Credentials, namespace: string, say: Say): Promise<void> {
  const workflowId = await deploy(call, credentials.projectId, 'order-approval.json');
  const kept = await findWaiting(call, workflowId);
  const order = { customer: 'Grace', total: 4200 };
  const executionId =
    kept ?? (await call('POST', `/api/webhooks/workflows/${workflowId}`, order)).headers.get('x-execution-id') ?? '';
  const execution = await readWhen(call, executionId, ({ status }) => !['PENDING', 'RUNNING'].includes(status));
  say('');
  say(
    `Example 2, examples/order-approval.json: an order over the limit ${kept ? 'still waits' : 'waits'} for a person`,
  );
  for (const line of pathTable(execution.executionPath)) say(line);
  say(`  ${execution.status}. Approve it (or "reject"):`);
  say('');
  say(`  curl -X POST ${credentials.url}/api/webhooks/executions/${executionId}/nodes/approval/input \\`);
  say(`    -H 'Content-Type: application/json' -d '{"decision": "approve", "comment": "fine"}'`);
  say('');
  say('  and see how it ended:');
  say('');
  say(`  curl -H "X-API-Key: ${credentials.apiKey}" \\`);
  say(`    "${credentials.url}/api/executions/${executionId}?expansion=status,output,executionPath"`);
  say('');
  if (credentials.temporalUiUrl !== null) {
    say(
      `  The execution in the Temporal UI: ${credentials.temporalUiUrl}/namespaces/${namespace}/workflows/${executionId}`,
    );
  }
}

/** Deploys both examples and runs them before the reader's eyes. */
export async function runExamples(credentials: Credentials, namespace: string, say: Say): Promise<void> {
  const call = caller(credentials);
  await runSummary(call, credentials.projectId, say);
  await runApproval(call, credentials, namespace, say);
}
