import { v5 } from 'uuid';
import { type Executor, succeeded } from '../executor.ts';

/** Fixed for ever: another namespace would change the output of a repeated step. */
const NAMESPACE = '6f1c1a52-64c5-4b8f-9c0e-0a6b3c1f7d24';

/**
 * A UUID of version 5 over the step's idempotency key, not a random one: when a worker dies after this step and before
 * its result is written, the step runs again, and its earlier output may already have been used. Unique like the key
 * (one for each step of each execution), and like the key not a secret.
 */
export const uuid: Executor = ({ idempotencyKey }) => succeeded(v5(idempotencyKey, NAMESPACE));
