import { v5 } from 'uuid';
import { type Executor, succeeded } from '../executor.ts';

/** Fixed for ever: another one would change what a step gives when it is run again. */
const NAMESPACE = '6f1c1a52-64c5-4b8f-9c0e-0a6b3c1f7d24';

/**
 * A UUID of version 5 over the step's idempotency key, not a random one: when a worker dies after this step and before
 * its result is written, the step runs again, and what it gave before may already have been sent to somebody.
 * Unique like the key (one for each step of each execution); not a secret, for the key is none.
 */
export const uuid: Executor = ({ idempotencyKey }) => succeeded(v5(idempotencyKey, NAMESPACE));
