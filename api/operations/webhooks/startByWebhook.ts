import { isTerminal } from '../../../domain/execution/status.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { Problem } from '../../../domain/problem.ts';
import type { Admission } from '../../../engine/starter.ts';
import { readResult } from '../../../prisma/store/execution/readSnapshot.ts';
import type { Change, ExecutionResult } from '../../../prisma/store/execution/recordProgress.ts';
import { isUuid } from '../../../prisma/store/resource.ts';
import { readWorkflowHead } from '../../../prisma/store/workflow/readWorkflowHead.ts';
import { awaitChange } from '../../executions/awaitChange.ts';
import { Answer } from '../../operation.ts';
import { toReply } from '../../pipeline/answer.ts';
import { answerOnce } from '../../pipeline/idempotency.ts';
import type { Reply } from '../../pipeline/reply.ts';
import type { Services } from '../../services.ts';
import { requireSender, SECRET_HEADER } from '../../webhooks/requireSender.ts';

export interface WebhookRequest {
  workflowId: string;
  method: string;
  headers: Record<string, string | undefined>;
  query: Record<string, unknown>;
  body: unknown;
  rawBody: Buffer;
  requestId: string;
  resourceId: string;
  signal: AbortSignal;
  services: Services;
}

/** Starts the workflow of a webhook and answers as its trigger says (decisions.md 7, "Webhook answers"). */
export async function startByWebhook(request: WebhookRequest): Promise<Answer | Reply> {
  if (!isUuid(request.workflowId)) throw notThere();
  const key = request.headers['idempotency-key'];
  return key === undefined ? startAndAnswer(request) : startOnce(request, key);
}

/** The workspace of a public request is known only from its workflow, so the pipeline leaves its key to us. */
async function startOnce(request: WebhookRequest, key: string): Promise<Reply> {
  const { services, workflowId } = request;
  const head = await readWorkflowHead(services.database, undefined, workflowId);
  if (!head) throw notThere();
  const { workspaceId, versionId } = head;
  const definition = await services.definitions.get({ workspaceId, executionId: request.resourceId, versionId });
  // Before the key: an answer is not given again to a caller without the secret.
  const { isAwaited: waits } = admission(request)(head, definition);
  const scope = { workspaceId, operationId: `webhook ${request.method}`, key, waits };
  return answerOnce({ ...request, params: { workflowId } }, scope, async (resourceId) =>
    toReply(await startAndAnswer({ ...request, resourceId }), 200, () => new URL('about:blank')),
  );
}

async function startAndAnswer(request: WebhookRequest): Promise<Answer> {
  const { services, workflowId, resourceId: executionId, requestId } = request;
  const awaited = awaitChange(
    services.feed,
    executionId,
    ({ status, responded }) => responded || isTerminal(status),
    services.config.SYNC_RUN_TIMEOUT_MS,
    request.signal,
  );
  try {
    let waits = false;
    const start = { executionId, requestId };
    const accepted = await services.starter.startWorkflow(undefined, workflowId, start, (head, definition) => {
      const admitted = admission(request)(head, definition);
      waits = admitted.isAwaited;
      return admitted;
    });
    if (!accepted) throw notThere();
    if (!waits) return new Answer(undefined, { status: 200, headers: executionHeader(executionId) });
    const change = accepted.started ? await awaited.change : undefined;
    return answerOf(executionId, await resultOf(services, accepted.head.workspaceId, executionId, change));
  } finally {
    awaited.release();
  }
}

function admission(request: WebhookRequest): Admission {
  return ({ isActive }, { trigger }) => {
    if (!isActive || trigger.type !== 'webhook') throw notThere();
    requireSender(trigger.config, request);
    return { trigger: triggerValues(request), isAwaited: trigger.config.respond === 'whenFinished' };
  };
}

/** The same for an unknown workflow, an inactive one and one that starts otherwise. */
function notThere(): Problem {
  return new Problem('NOT_FOUND', 'There is no active workflow with a webhook trigger here');
}

function triggerValues({ method, headers, query, body }: WebhookRequest): JsonObject {
  const shown = Object.entries(headers).filter(([name, value]) => name !== SECRET_HEADER && value !== undefined);
  return {
    method,
    headers: Object.fromEntries(shown) as JsonObject,
    query: query as JsonObject,
    body: (body ?? null) as Json,
  };
}

/** From the change where the process that wrote it is this one, else from the row. */
async function resultOf(
  services: Services,
  workspaceId: string,
  executionId: string,
  change: Change | undefined,
): Promise<ExecutionResult> {
  const { result, responded } = change ?? {};
  if (result && (!responded || result.response)) return result;
  const row = await readResult(services.database, workspaceId, executionId);
  if (!row) throw new Error(`Execution ${executionId} has no row`);
  return row;
}

function answerOf(executionId: string, { status, statusMessage, output, response }: ExecutionResult): Answer {
  const headers = executionHeader(executionId);
  if (response)
    return new Answer(response.body ?? undefined, { ...response, headers: { ...response.headers, ...headers } });
  if (status === 'COMPLETED') return new Answer(output, { status: 200, headers });
  if (!isTerminal(status)) return new Answer({ executionId, status }, { status: 202, headers });
  throw new Problem('EXECUTION_FAILED', statusMessage ?? `The execution ended ${status}`, { members: { executionId } });
}

function executionHeader(executionId: string): Record<string, string> {
  return { 'x-execution-id': executionId };
}
