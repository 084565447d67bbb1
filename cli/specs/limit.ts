import type { OptionSpec } from '../commandSpec.ts';

/** Of a list. */
export const LIMIT: OptionSpec = { flags: '--limit <n>', summary: 'rows at most' };
