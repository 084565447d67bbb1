import { createHmac } from 'node:crypto';
import { derivedId } from '../../domain/derivedId.ts';
import { deploymentSecrets } from '../secrets/deploymentSecrets.ts';

/** Derives an id, the same in each attempt, e.g. a child's from its parent. `ms`: see derivedId. */
export type ExecutionIds = (baseId: string, key: string, ms?: number) => string;

/**
 * Creates ids that cannot be derived from another id, because an id allows answering public questions. The secret is
 * derived from the oldest key of ENCRYPTION_KEY, like that of idempotency keys.
 */
export function createExecutionIds(keys: string | undefined): ExecutionIds {
  const oldest = deploymentSecrets(keys, 'ids of executions').at(-1) as Buffer;
  return (baseId, key, ms) => {
    const secret = createHmac('sha256', oldest).update(`${baseId.toLowerCase()}\n${key}`).digest('base64url');
    return derivedId(baseId, secret, ms);
  };
}
