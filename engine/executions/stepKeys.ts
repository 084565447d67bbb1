import { createHmac } from 'node:crypto';
import { deploymentSecrets } from '../secrets/deploymentSecrets.ts';

/** The identity of a step, equal in each of its attempts. */
export interface StepPlace {
  executionId: string;
  nodeId: string;
  /** `2/5` of nested loops; empty outside loops. */
  iteration: string;
}

/** The idempotency key of a step: 43 url-safe characters that tell nothing of the execution. */
export type StepKeys = (place: StepPlace) => string;

/**
 * Other services see the key, and the id of an execution gives the right to answer its questions: so the key is a keyed
 * hash. It is derived from the last, oldest key of ENCRYPTION_KEY: adding a new key in front changes no key; removing
 * the last one changes the keys of later attempts.
 */
export function createStepKeys(keys: string | undefined): StepKeys {
  const oldest = deploymentSecrets(keys, 'idempotency keys of steps').at(-1) as Buffer;
  return ({ executionId, nodeId, iteration }) =>
    createHmac('sha256', oldest).update(`${executionId}:${nodeId}:${iteration}`).digest('base64url');
}
