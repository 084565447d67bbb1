import { RE2JS } from 're2js';
import { activeMeter, charge, chargeAtWorst, chargeText } from '../meter.ts';
import { repeatedSize } from './repeatedSize.ts';

// RE2's time grows with text times pattern size. Compiling costs more than running, so recent patterns are cached.
const KEPT = 200;
const MAX_PATTERN_LENGTH = 1_000;
const compiled = new Map<string, RE2JS>();

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

/** RE2 searches most patterns with an automaton, which makes them this much cheaper than the worst case. */
const OFTEN_CHEAPER = 16;

function chargeSearch(made: RE2JS, length: number): void {
  const worst = 5 + (length * made.programSize()) / 4;
  chargeAtWorst(worst, worst / OFTEN_CHEAPER);
}

export function isFound(source: string, text: string): boolean {
  const made = pattern(source);
  chargeSearch(made, text.length);
  return made.matcher(text).find();
}

export function replaced(source: string, text: string, to: string): string {
  const made = pattern(source);
  const parts = to.split('$').length + (to.length >> 6);
  const counted = made.matcher(text);
  chargeSearch(made, 2 * text.length);
  while (counted.find()) {
    charge(parts);
    // A search may read all remaining text to match one character. Inline, which nothing interrupts, that is charged.
    if (activeMeter()?.isInline) chargeSearch(made, 2 * (text.length - counted.end()));
  }
  const result = made.matcher(text).replaceAll(to);
  chargeText(result.length);
  return result;
}
