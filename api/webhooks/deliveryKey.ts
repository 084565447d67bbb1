import { createHash } from 'node:crypto';
import { ExpressionError } from '../../domain/expression/expressionError.ts';
import { Problem } from '../../domain/problem.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import { duplicateKeyOf } from '../../domain/workflow/duplicateKey.ts';
import type { WorkflowHead } from '../../prisma/store/workflow/findWorkflow.ts';
import { type ReadWebhookRequest, triggerValues } from './webhookRequest.ts';

/** The key that identifies repeated deliveries. */
export interface DeliveryKey {
  workspaceId: string;
  keyHash: Buffer;
  forMs: number;
}

/**
 * Undefined where the trigger does not drop duplicates. Throws VALIDATION_FAILED for a request that has no key: to
 * take it would start it twice, to drop it would lose it.
 */
export function deliveryKeyOf(
  request: ReadWebhookRequest,
  { workspaceId }: WorkflowHead,
  { trigger, duplicateKey }: CompiledDefinition,
): DeliveryKey | undefined {
  if (trigger.type !== 'webhook' || !trigger.config.duplicates || !duplicateKey) return undefined;
  const { key: source, forMs } = trigger.config.duplicates;
  try {
    const key = duplicateKeyOf(duplicateKey, source, triggerValues(request, trigger.config));
    return { workspaceId, keyHash: createHash('sha256').update(key).digest(), forMs };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new Problem(
      'VALIDATION_FAILED',
      `The key of trigger.config.duplicates cannot be evaluated: ${error.message}`,
      {
        errors: [{ path: 'trigger.config.duplicates.key', message: error.message }],
        cause: error,
      },
    );
  }
}
