import { createHash } from 'node:crypto';
import { ExpressionError } from '../../domain/expression/expressionError.ts';
import { Problem } from '../../domain/problem.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import type { WorkflowHead } from '../../prisma/store/workflow/findWorkflow.ts';
import { type ReadWebhookRequest, receivedBy, triggerValues } from './webhookRequest.ts';

export interface DeliveryKey {
  workspaceId: string;
  keyHash: Buffer;
  forMs: number;
}

/** Events of an app are remembered for longer than a service repeats them. */
const EVENT_MS = 86_400_000;

/**
 * Undefined if the trigger keeps duplicates; a promise only if it takes more than a few milliseconds. Throws
 * VALIDATION_FAILED without a key, which could be neither accepted nor dropped safely, and EXPRESSION_LIMIT.
 */
export function deliveryKeyOf(
  request: ReadWebhookRequest,
  { workspaceId }: WorkflowHead,
  { trigger, duplicateKey }: CompiledDefinition,
): DeliveryKey | Promise<DeliveryKey> | undefined {
  if (trigger.type !== 'webhook') return undefined;
  const keyed = (key: string, forMs: number) => {
    return { workspaceId, keyHash: createHash('sha256').update(key).digest(), forMs };
  };
  const received = receivedBy(request, trigger.config);
  if (received) return received.kind === 'event' ? keyed(received.key, EVENT_MS) : undefined;
  if (!trigger.config.duplicates || !duplicateKey) return undefined;
  const { key: source, forMs } = trigger.config.duplicates;
  const { evaluation } = request.services;
  const made = (key: string) => keyed(key, forMs);
  try {
    const key = evaluation.key(workspaceId, duplicateKey, source, triggerValues(request, trigger.config));
    return key instanceof Promise ? key.then(made, refuse) : made(key);
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof ExpressionError)) throw error;
  const { code, message } = error;
  throw new Problem(
    code === 'EXPRESSION_LIMIT' ? code : 'VALIDATION_FAILED',
    `The key of trigger.config.duplicates cannot be evaluated: ${message}`,
    { errors: [{ path: 'trigger.config.duplicates.key', message }], cause: error },
  );
}
