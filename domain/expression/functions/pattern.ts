import { RE2JS } from 're2js';

// RE2 runs in linear time for every pattern, so a pattern from data cannot hang a worker. Compiling a pattern costs
// more than running it, so recent ones are cached.
const KEPT = 200;
const MAX_PATTERN_LENGTH = 1_000;
const compiled = new Map<string, RE2JS>();

/** Compiles an RE2 pattern; throws an Error with its problem. */
export function pattern(source: string): RE2JS {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  if (source.length > MAX_PATTERN_LENGTH) {
    throw new Error(`a pattern has at most ${MAX_PATTERN_LENGTH.toLocaleString('en-US')} characters`);
  }
  let made: RE2JS;
  try {
    made = RE2JS.compile(source);
  } catch (error) {
    throw new Error(`the pattern ${JSON.stringify(source)} is not valid: ${(error as Error).message}`, {
      cause: error,
    });
  }
  if (compiled.size >= KEPT) compiled.delete(compiled.keys().next().value as string);
  compiled.set(source, made);
  return made;
}
