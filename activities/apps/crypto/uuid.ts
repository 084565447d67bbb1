import { v5 } from 'uuid';
import { type Executor, succeeded } from '../executor.ts';

/** Never change it: a repeated step would return another value. */
const NAMESPACE = '6f1c1a52-64c5-4b8f-9c0e-0a6b3c1f7d24';

/**
 * A version 5 UUID from the idempotency key: if a worker dies before it stores the result, the step runs again, and its
 * earlier output may already have been used. Unique for each step, and not a secret.
 */
export const uuid: Executor = ({ idempotencyKey }) => succeeded(v5(idempotencyKey, NAMESPACE));
