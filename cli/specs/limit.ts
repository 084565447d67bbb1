import type { OptionSpec } from '../commandSpec.ts';

export const LIMIT: OptionSpec = { flags: '--limit <n>', summary: 'maximum number of rows' };
