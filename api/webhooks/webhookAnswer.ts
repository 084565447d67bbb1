import { maskSecrets } from '../../domain/execution/maskSecrets.ts';
import { isTerminal } from '../../domain/execution/status.ts';
import type { WebhookResponse } from '../../domain/execution/stepRecord.ts';
import { Problem } from '../../domain/problem.ts';
import { readExecutionResult } from '../../prisma/store/execution/readSnapshot.ts';
import type { Change, ExecutionResult } from '../../prisma/store/execution/recordProgress.ts';
import { readSecrets } from '../../prisma/store/execution/secrets.ts';
import { readStatusMessage } from '../../prisma/store/execution/statusMessage.ts';
import { type Awaited, awaitChange } from '../executions/awaitChange.ts';
import { Answer } from '../operation.ts';
import type { Services } from '../services.ts';
import { EXECUTION_HEADER } from './executionId.ts';
import type { WebhookRequest } from './webhookRequest.ts';

export function emptyAnswer(executionId: string): Answer {
  return new Answer(undefined, { status: 200, headers: executionHeader(executionId) });
}

/** Starts listening immediately. */
export function awaitAnswer(
  { services, signal }: WebhookRequest,
  executionId: string,
  by: 'notice' | 'following' = 'notice',
): Awaited {
  return awaitChange(
    services.feed,
    executionId,
    ({ status, responded }) => responded || isTerminal(status),
    services.config.SYNC_RUN_TIMEOUT_MS,
    signal,
    by,
  );
}

/** Uses the change if this process wrote it, otherwise the row. */
export async function resultOf(
  services: Services,
  workspaceId: string,
  executionId: string,
  change: Change | undefined,
): Promise<ExecutionResult> {
  const { result, responded } = change ?? {};
  if (result && (!responded || result.response)) return result;
  const row = await readExecutionResult(services.database, workspaceId, executionId);
  if (!row) throw new Error(`Execution ${executionId} has no row`);
  return row;
}

/** Returns the workflow's answer with masked secrets; `mayHoldSecrets` tells whether the execution can have any. */
export async function answerOf(
  { database }: Services,
  workspaceId: string,
  executionId: string,
  { status, output, response }: ExecutionResult,
  knowsSecrets = true,
): Promise<Answer> {
  const headers = executionHeader(executionId);
  if (response || status === 'COMPLETED') {
    const secrets = knowsSecrets ? await readSecrets(database, workspaceId, executionId) : [];
    if (response) return sentAnswer(shownResponse(response, secrets), headers);
    return new Answer(maskSecrets(output, secrets), { status: 200, headers });
  }
  if (!isTerminal(status)) return new Answer({ executionId, status }, { status: 202, headers });
  // Read again, because answers mask the secrets of the execution.
  const message = await readStatusMessage(database, workspaceId, executionId);
  throw new Problem('EXECUTION_FAILED', message ?? `The execution ended ${status}`, { members: { executionId } });
}

/** Searches the bytes themselves, not only their Base64. */
function shownResponse(response: WebhookResponse, secrets: readonly string[]): WebhookResponse {
  if (secrets.length === 0) return response;
  const { status, headers, body, encoding } = response;
  const shown = { status, headers: maskSecrets(headers, secrets) };
  if (encoding !== 'base64') return { ...shown, body: maskSecrets(body, secrets) };
  const bytes = Buffer.from(String(body), 'base64').toString('latin1');
  const asBytes = secrets.map((secret) => Buffer.from(secret).toString('latin1'));
  return { ...shown, body: Buffer.from(maskSecrets(bytes, asBytes), 'latin1').toString('base64'), encoding };
}

/** The workflow cannot set the headers that name the request and the execution. */
const OUR_HEADERS: ReadonlySet<string> = new Set(['x-request-id', 'idempotency-replayed']);
const POLICY = 'content-security-policy';

/** A tenant's page gets its own origin, without scripts and forms, in addition to its policy. Others may embed it. */
function sentAnswer({ status, headers, body, encoding }: WebhookResponse, ours: Record<string, string>): Answer {
  const theirs = Object.entries(headers).filter(([name]) => !OUR_HEADERS.has(name));
  const policy = headers[POLICY] === undefined ? 'sandbox' : `sandbox, ${headers[POLICY]}`;
  const all = {
    'cross-origin-resource-policy': 'cross-origin',
    ...Object.fromEntries(theirs),
    ...ours,
    [POLICY]: policy,
  };
  if (encoding !== 'base64') return new Answer(body ?? undefined, { status, headers: all });
  const bytes = Buffer.from(String(body), 'base64');
  return new Answer(bytes, { status, headers: { 'content-type': 'application/octet-stream', ...all } });
}

/** Answers with the execution of another request, at the same time and with the same content. */
export async function sameAnswer(request: WebhookRequest, workspaceId: string, executionId: string): Promise<Answer> {
  const awaited = awaitAnswer(request, executionId, 'following');
  try {
    await awaited.begun();
    const now = await resultOf(request.services, workspaceId, executionId, undefined);
    if (now.response || isTerminal(now.status)) return await answerOf(request.services, workspaceId, executionId, now);
    const ended = await resultOf(request.services, workspaceId, executionId, await awaited.change);
    return await answerOf(request.services, workspaceId, executionId, ended);
  } finally {
    awaited.release();
  }
}

function executionHeader(executionId: string): Record<string, string> {
  return { [EXECUTION_HEADER]: executionId };
}
