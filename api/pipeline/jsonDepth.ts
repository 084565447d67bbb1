const BRACKET_OR_QUOTE = /["[\]{}]/g;

export function tooDeepAt(text: string, most: number): { line: number; column: number } | undefined {
  let depth = 0;
  BRACKET_OR_QUOTE.lastIndex = 0;
  for (let found = BRACKET_OR_QUOTE.exec(text); found; found = BRACKET_OR_QUOTE.exec(text)) {
    const [character] = found;
    if (character === '"') BRACKET_OR_QUOTE.lastIndex = stringEnd(text, found.index + 1);
    else if (character === ']' || character === '}') depth -= 1;
    else {
      depth += 1;
      if (depth > most) return placeOf(text, found.index);
    }
  }
  return undefined;
}

/** Returns the index after the closing quote of the string that begins at `start`, or the end of an unclosed text. */
export function stringEnd(text: string, start: number): number {
  let at = start;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    let escapes = quote;
    while (escapes > start && text[escapes - 1] === '\\') escapes -= 1;
    if ((quote - escapes) % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

function placeOf(text: string, index: number): { line: number; column: number } {
  const before = text.slice(0, index).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
