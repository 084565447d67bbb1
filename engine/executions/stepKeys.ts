import { createHmac } from 'node:crypto';
import type { JsonObject } from '../../domain/json.ts';
import { canonicalJson } from '../../domain/workflow/canonical.ts';
import { deploymentSecrets } from '../secrets/deploymentSecrets.ts';

/** The identity of a step's work, equal in each attempt, and in retries of the execution until it has completed. */
export interface StepWork {
  /** The execution, or the first one of a chain of retries. */
  lineageId: string;
  nodeId: string;
  /** The format of iteration.ts; empty outside loops. */
  iteration: string;
  inputs: JsonObject;
  /** How often it completed in the retried executions. */
  completed: number;
}

/** The idempotency key of a step: 43 url-safe characters that reveal nothing about the execution. */
export type StepKeys = (work: StepWork) => string;

/**
 * Creates keyed hashes, because other services see the key, and an execution's id allows answering its questions. It
 * uses the oldest key of ENCRYPTION_KEY: a new key in front changes nothing; without the oldest, keys of later attempts
 * change.
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
