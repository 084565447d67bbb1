import { isUuid } from '../../../domain/isUuid.ts';
import { Problem } from '../../../domain/problem.ts';
import { mayHoldSecrets } from '../../../domain/workflow/mayHoldSecrets.ts';
import { type Admitted, type FoundWorkflow, staleIfCached } from '../../../engine/executions/starter.ts';
import { claimDelivery } from '../../../prisma/store/webhookDelivery/claimDelivery.ts';
import { readWorkflowHead } from '../../../prisma/store/workflow/findWorkflow.ts';
import type { Answer, PublicOperation } from '../../operation.ts';
import { toReply } from '../../pipeline/answer.ts';
import { answerOnce } from '../../pipeline/idempotency.ts';
import type { Reply } from '../../pipeline/reply.ts';
import { appAnswer } from '../../webhooks/appAnswer.ts';
import { type DeliveryKey, deliveryKeyOf } from '../../webhooks/deliveryKey.ts';
import { failureWithoutExecutionId, withoutExecutionId } from '../../webhooks/executionId.ts';
import { answerOf, awaitAnswer, emptyAnswer, resultOf, sameAnswer } from '../../webhooks/webhookAnswer.ts';
import {
  noWebhook,
  type ReadWebhookRequest,
  readWebhookRequest,
  requireWebhook,
  triggerValues,
  type WebhookRequest,
} from '../../webhooks/webhookRequest.ts';

export async function startByWebhook(request: WebhookRequest): Promise<Answer | Reply> {
  if (!isUuid(request.workflowId)) throw noWebhook();
  const read = await readWebhookRequest(request);
  const key = request.headers['idempotency-key'];
  try {
    const answer = await (key === undefined ? startUnlessDuplicate(read) : startOnce(read, key));
    return read.sender.isStranger ? withoutExecutionId(replyOf(answer)) : answer;
  } catch (error) {
    // A workflow without a published version has no webhook.
    if (error instanceof Problem && error.code === 'NOT_PUBLISHED') throw noWebhook();
    throw read.sender.isStranger ? failureWithoutExecutionId(error) : error;
  }
}

/** Claims the key here, because only the workflow tells the workspace of a public request. */
async function startOnce(request: ReadWebhookRequest, key: string): Promise<Reply> {
  const { services, workflowId } = request;
  const head = await readWorkflowHead(services.database, undefined, workflowId);
  if (!head) throw noWebhook();
  const { workspaceId, versionId } = head;
  const definition = await services.definitions.get({ workspaceId, executionId: request.resourceId, versionId });
  // Before the key, so that a caller without the secret does not get a stored answer.
  const config = requireWebhook(request, head, definition);
  await request.sender.find(services, request.headers, workspaceId, definition);
  // Compares the parsed body, because a repeated form has a new boundary.
  const { body } = triggerValues(request, config);
  const scope = { workspaceId, operation: `webhook ${workflowId.toLowerCase()}`, key, isSecret: false };
  return answerOnce({ ...request, params: {}, body }, scope, async (resourceId) =>
    replyOf(await startUnlessDuplicate({ ...request, resourceId })),
  );
}

function replyOf(answer: Answer | Reply): Reply {
  return toReply(answer, 200, () => new URL('about:blank'));
}

/** A start that the workflow admits, or the execution that an earlier delivery of the same key has started. */
interface AdmittedDelivery extends Admitted {
  executionId: string;
  isDuplicate: boolean;
}

async function startUnlessDuplicate(request: ReadWebhookRequest): Promise<Answer> {
  const { services, workflowId } = request;
  let found = await services.starter.look(undefined, workflowId);
  for (; found; found = await services.starter.look(undefined, workflowId, 'rows')) {
    const answer = await startAndAnswer(request, found);
    if (answer !== 'stale') return answer;
  }
  throw noWebhook();
}

async function startAndAnswer(request: ReadWebhookRequest, found: FoundWorkflow): Promise<Answer | 'stale'> {
  const { services, requestId } = request;
  const { workspaceId } = found.head;
  const unstarted = await answerUnstarted(request, found).catch(staleIfCached(found));
  // Only a start checks whether a cached workflow has changed.
  if (unstarted) return found.isCached ? 'stale' : unstarted;
  const admitted = await admit(request, found).catch(staleIfCached(found));
  if (admitted === 'stale') return admitted;
  const { executionId, isDuplicate, isAwaited } = admitted;
  if (isDuplicate) return isAwaited ? sameAnswer(request, workspaceId, executionId) : emptyAnswer(executionId);
  const awaited = awaitAnswer(request, executionId);
  try {
    const start = { executionId, requestId, startedBy: { type: 'webhook' } } as const;
    const outcome = await services.starter.start(found, start, admitted);
    if (outcome === 'stale') return outcome;
    if (!isAwaited) return emptyAnswer(executionId);
    const change = outcome === 'started' ? await awaited.change : undefined;
    const result = await resultOf(services, workspaceId, executionId, change);
    return await answerOf(services, workspaceId, executionId, result, mayHoldSecrets(found.definition));
  } finally {
    awaited.release();
  }
}

async function answerUnstarted(request: ReadWebhookRequest, { head, definition }: FoundWorkflow) {
  return appAnswer(request, head, definition);
}

/** Throws a Problem if the workflow refuses the request. */
async function admit(request: ReadWebhookRequest, { head, definition }: FoundWorkflow): Promise<AdmittedDelivery> {
  const { services, resourceId } = request;
  const config = requireWebhook(request, head, definition);
  const by = await request.sender.find(services, request.headers, head.workspaceId, definition);
  const isAwaited = config.respond === 'whenFinished';
  const key = await deliveryKeyOf(request, head, definition);
  const { executionId, isAccepted } = key
    ? await executionOfKey(request, key)
    : { executionId: resourceId, isAccepted: false };
  return { executionId, isDuplicate: isAccepted, trigger: triggerValues(request, config), isAwaited, by };
}

/** Deliveries of a key start the same execution id, which starts once, even if the first process died in between. */
function executionOfKey(request: ReadWebhookRequest, { workspaceId, keyHash, forMs }: DeliveryKey) {
  const { services, workflowId, resourceId } = request;
  return claimDelivery(services.database, workspaceId, { workflowId, keyHash, executionId: resourceId, forMs });
}

export const postWebhook: PublicOperation<'postWebhook'> = ({ params, ...request }) =>
  startByWebhook({ ...request, ...params });

export const getWebhook: PublicOperation<'getWebhook'> = ({ params, ...request }) =>
  startByWebhook({ ...request, ...params });
