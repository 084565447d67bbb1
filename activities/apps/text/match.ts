import { z } from 'zod';
import { withInputs } from '../checkedInputs.ts';
import { failed, succeeded } from '../executor.ts';
import { findMatches, PatternError, patternInputs } from './pattern.ts';

/** `{matched, matches: [{text, index, groups, named}]}`; without `all` at most the first match. */
export const match = withInputs({ ...patternInputs, all: z.boolean().default(false) }, ({ all, ...inputs }) => {
  try {
    const matches = [];
    for (const { text, start, groups, named } of findMatches(inputs)) {
      matches.push({ text, index: start, groups, named });
      if (!all) break;
    }
    return succeeded({ matched: matches.length > 0, matches });
  } catch (error) {
    if (error instanceof PatternError) return failed(error.code, error.message);
    throw error;
  }
});
