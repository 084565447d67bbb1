import { isUuid } from '../../../domain/isUuid.ts';
import { mayHoldSecrets } from '../../../domain/workflow/mayHoldSecrets.ts';
import { claimDelivery } from '../../../prisma/store/webhookDelivery/claimDelivery.ts';
import { readWorkflowHead } from '../../../prisma/store/workflow/findWorkflow.ts';
import type { Answer, PublicOperation } from '../../operation.ts';
import { toReply } from '../../pipeline/answer.ts';
import { answerOnce } from '../../pipeline/idempotency.ts';
import type { Reply } from '../../pipeline/reply.ts';
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

async function startUnlessDuplicate(request: ReadWebhookRequest): Promise<Answer> {
  try {
    return await startAndAnswer(request);
  } catch (error) {
    if (!(error instanceof KeyToClaim)) throw error;
    return startOfKey(request, await error.key, error.waits);
  }
}

/** Thrown inside the start, where the workflow is known but no statement can claim a key. */
class KeyToClaim extends Error {
  readonly key: DeliveryKey | Promise<DeliveryKey>;
  readonly waits: boolean;

  constructor(key: DeliveryKey | Promise<DeliveryKey>, waits: boolean) {
    super('the key of a delivery must be claimed before the start');
    this.key = key;
    // It may reject before anything awaits it.
    if (key instanceof Promise) key.catch(() => undefined);
    this.waits = waits;
  }
}

/** Deliveries of a key start the same execution id, which starts once, even if the first process died in between. */
async function startOfKey(
  request: ReadWebhookRequest,
  { workspaceId, keyHash, forMs }: DeliveryKey,
  waits: boolean,
): Promise<Answer> {
  const { services, workflowId, resourceId } = request;
  const delivery = { workflowId, keyHash, executionId: resourceId, forMs };
  const { executionId, isAccepted } = await claimDelivery(services.database, workspaceId, delivery);
  if (!isAccepted) return startAndAnswer({ ...request, resourceId: executionId }, true);
  return waits ? sameAnswer(request, workspaceId, executionId) : emptyAnswer(executionId);
}

/** Throws KeyToClaim if the trigger drops duplicates and no key has been claimed. */
async function startAndAnswer(request: ReadWebhookRequest, isClaimed = false): Promise<Answer> {
  const { services, workflowId, resourceId: executionId, requestId } = request;
  const awaited = awaitAnswer(request, executionId);
  try {
    let waits = false;
    let knowsSecrets = false;
    const accepted = await services.starter.startWorkflow(
      undefined,
      workflowId,
      { executionId, requestId, startedBy: { type: 'webhook' } },
      async (head, definition) => {
        const config = requireWebhook(request, head, definition);
        const by = await request.sender.find(services, request.headers, head.workspaceId, definition);
        waits = config.respond === 'whenFinished';
        knowsSecrets = mayHoldSecrets(definition);
        const key = isClaimed ? undefined : deliveryKeyOf(request, head, definition);
        if (key) throw new KeyToClaim(key, waits);
        return { trigger: triggerValues(request, config), isAwaited: waits, by };
      },
    );
    if (!accepted) throw noWebhook();
    if (!waits) return emptyAnswer(executionId);
    const change = accepted.started ? await awaited.change : undefined;
    const { workspaceId } = accepted.head;
    const result = await resultOf(services, workspaceId, executionId, change);
    return await answerOf(services, workspaceId, executionId, result, knowsSecrets);
  } finally {
    awaited.release();
  }
}

export const postWebhook: PublicOperation<'postWebhook'> = ({ params, ...request }) =>
  startByWebhook({ ...request, ...params });

export const getWebhook: PublicOperation<'getWebhook'> = ({ params, ...request }) =>
  startByWebhook({ ...request, ...params });
