import { createHmac } from 'node:crypto';
import type { JsonObject } from '../../domain/json.ts';
import { canonicalJson } from '../../domain/workflow/canonical.ts';
import { deploymentSecrets } from '../secrets/deploymentSecrets.ts';

/** The identity of a step's work, equal in each of its attempts, and in retries of the execution until it has completed. */
export interface StepWork {
  /** The execution, or of a retry the first one of its chain. */
  lineageId: string;
  nodeId: string;
  /** iteration.ts; empty outside loops. */
  iteration: string;
  /** Resolved. */
  inputs: JsonObject;
  /** How often it completed in the executions of which this one is a retry. */
  completed: number;
}

/** The idempotency key of a step: 43 url-safe characters that tell nothing of the execution. */
export type StepKeys = (work: StepWork) => string;

/**
 * Other services see the key, and the id of an execution gives the right to answer its questions: so the key is a keyed
 * hash. It is derived from the last, oldest key of ENCRYPTION_KEY: adding a new key in front changes no key; removing
 * the last one changes the keys of later attempts.
 */
export function createStepKeys(keys: string | undefined): StepKeys {
  const oldest = deploymentSecrets(keys, 'idempotency keys of steps').at(-1) as Buffer;
  return ({ lineageId, nodeId, iteration, inputs, completed }) =>
    createHmac('sha256', oldest)
      .update(`${lineageId}:${nodeId}:${iteration}:${completed}\n`)
      // Canonical: values from memory and from the database have their keys in different orders.
      .update(canonicalJson(inputs))
      .digest('base64url');
}
