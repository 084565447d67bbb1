import { RE2JS } from 're2js';
import { activeMeter, charge, chargeAtWorst, chargeText } from '../meter.ts';
import { repeatedSize } from './repeatedSize.ts';

// RE2 takes time in proportion to the text and to the size of the pattern's program, never more; both may be large, so
// their product is charged. Compiling a pattern costs more than running it, so recent ones are cached.
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
  charge(source.length + (repeatedSize(source) << 6));
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

/** Most patterns are searched by an automaton, which makes them this much cheaper than the worst. */
const OFTEN_CHEAPER = 16;

/** One search takes time in proportion to the text and to the size of the program. */
function chargeSearch(made: RE2JS, length: number): void {
  const worst = 5 + (length * made.programSize()) / 4;
  chargeAtWorst(worst, worst / OFTEN_CHEAPER);
}

/** Whether the pattern is found in the text. */
export function isFound(source: string, text: string): boolean {
  const made = pattern(source);
  chargeSearch(made, text.length);
  return made.matcher(text).find();
}

/** The text with each match replaced; `$1` stands for the first group. */
export function replaced(source: string, text: string, to: string): string {
  const made = pattern(source);
  const parts = to.split('$').length + (to.length >> 6);
  const counted = made.matcher(text);
  // Twice: the matches are counted before anything is made of them.
  chargeSearch(made, 2 * text.length);
  while (counted.find()) {
    charge(parts);
    // A search may look at all that is left and find the next character: where nobody can end it, that counts.
    if (activeMeter()?.isInline) chargeSearch(made, 2 * (text.length - counted.end()));
  }
  const result = made.matcher(text).replaceAll(to);
  chargeText(result.length);
  return result;
}
