import { z } from 'zod';
import { withInputs } from '../checkedInputs.ts';
import type { Executor } from '../executor.ts';
import { performedText, type TextSettings } from './performedText.ts';
import { searchInputs } from './searchInputs.ts';

/** If `literal` is set, neither the pattern nor the replacement has special characters. */
export function buildReplace(settings: TextSettings): Executor {
  return withInputs(
    {
      ...searchInputs,
      pattern: z.string().min(1).max(10_000),
      replacement: z.string().default(''),
      literal: z.boolean().default(false),
      all: z.boolean().default(true),
    },
    (inputs, call) => performedText(settings, call, { kind: 'replace', inputs }),
  );
}
