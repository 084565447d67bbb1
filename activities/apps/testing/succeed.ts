import { type Executor, succeeded } from '../executor.ts';

export const succeed: Executor = ({ inputs }) => succeeded(inputs.output ?? null);
