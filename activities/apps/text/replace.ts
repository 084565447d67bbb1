import { z } from 'zod';
import { withInputs } from '../checkedInputs.ts';
import { failed, succeeded } from '../executor.ts';
import { findMatches, PatternError, type PatternMatch, patternInputs } from './pattern.ts';

/** The text with its matches replaced: all of them, or the first. `literal` takes pattern and replacement as they are. */
export const replace = withInputs(
  {
    ...patternInputs,
    pattern: z.string().min(1).max(10_000),
    replacement: z.string().default(''),
    literal: z.boolean().default(false),
    all: z.boolean().default(true),
  },
  ({ replacement, literal, all, ...inputs }) => {
    const { text, pattern } = inputs;
    if (literal && !inputs.ignoreCase) {
      return succeeded(all ? text.replaceAll(pattern, () => replacement) : text.replace(pattern, () => replacement));
    }
    try {
      const parts: string[] = [];
      let from = 0;
      for (const found of findMatches({ ...inputs, pattern: literal ? quote(pattern) : pattern })) {
        parts.push(text.slice(from, found.start), literal ? replacement : expand(replacement, found));
        from = found.end;
        if (!all) break;
      }
      return succeeded(parts.join('') + text.slice(from));
    } catch (error) {
      if (error instanceof PatternError) return failed(error.code, error.message);
      throw error;
    }
  },
);

function quote(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** `$1` and `${name}` are groups, `$0` the whole match, `$$` a dollar sign; anything else stays. */
function expand(replacement: string, found: PatternMatch): string {
  return replacement.replace(/\$(?:(\$)|(\d{1,2})|\{(\w+)\})/g, (whole, dollar, number, name) => {
    if (dollar !== undefined) return '$';
    if (number === undefined) return Object.hasOwn(found.named, name) ? String(found.named[name] ?? '') : whole;
    if (Number(number) === 0) return found.text;
    return Number(number) <= found.groups.length ? (found.groups[Number(number) - 1] ?? '') : whole;
  });
}
