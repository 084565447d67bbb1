import { z } from 'zod';
import { withInputs } from '../checkedInputs.ts';
import type { Executor } from '../executor.ts';
import { performedText, type TextSettings } from './performedText.ts';
import { searchInputs } from './searchInputs.ts';

/** `{matched, matches: [{text, index, groups, named}]}`; without `all`, at most the first match. */
export function buildMatch(settings: TextSettings): Executor {
  return withInputs({ ...searchInputs, all: z.boolean().default(false) }, (inputs, call) =>
    performedText(settings, call, { kind: 'match', inputs }),
  );
}
