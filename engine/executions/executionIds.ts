import { createHmac } from 'node:crypto';
import { derivedId } from '../../domain/derivedId.ts';
import { deploymentSecrets } from '../secrets/deploymentSecrets.ts';

/**
 * The id of an execution that follows from something else, the same in each try: a child's from its parent, a
 * scheduled one's from its time. `ms`: as in derivedId.
 */
export type ExecutionIds = (baseId: string, key: string, ms?: number) => string;

/**
 * The id of an execution is the right to answer its questions that are for anyone: nobody can work it out from an id that
 * they know. The secret follows from the oldest key of ENCRYPTION_KEY, as that of idempotency keys does.
 */
export function createExecutionIds(keys: string | undefined): ExecutionIds {
  const oldest = deploymentSecrets(keys, 'ids of executions').at(-1) as Buffer;
  return (baseId, key, ms) => {
    const secret = createHmac('sha256', oldest).update(`${baseId.toLowerCase()}\n${key}`).digest('base64url');
    return derivedId(baseId, secret, ms);
  };
}
