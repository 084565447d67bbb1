import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import type { WorkflowHead } from '../../prisma/store/workflow/findWorkflow.ts';
import { Answer } from '../operation.ts';
import { senderFault } from './requireSender.ts';
import { type ReadWebhookRequest, receivedBy, requireWebhook } from './webhookRequest.ts';

/**
 * The answer to a request that starts nothing, because it is a question of the service or an event that the trigger does
 * not want. Slack verifies an address before its user switches the workflow on. Throws as requireWebhook does.
 */
export function appAnswer(
  request: ReadWebhookRequest,
  head: WorkflowHead,
  definition: CompiledDefinition,
): Answer | undefined {
  const { trigger } = definition;
  if (trigger.type !== 'webhook' || trigger.config.appId === undefined) return undefined;
  // Without the right signature an inactive workflow is answered like an unknown one.
  if (head.isActive || senderFault(trigger.config, request) !== undefined) requireWebhook(request, head, definition);
  const received = receivedBy(request, trigger.config);
  if (received?.kind === 'answer') return new Answer(received.body, { status: 200 });
  return head.isActive && received?.kind === 'ignored' ? new Answer(undefined, { status: 200 }) : undefined;
}
