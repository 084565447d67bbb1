import { type Executor, succeeded } from '../executor.ts';

/** The work was done by the expression; null is a value like any other. */
export const transform: Executor = ({ inputs }) => succeeded(inputs.value ?? null);
