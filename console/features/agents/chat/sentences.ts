const END = /[.!?…:][)\]"'”’*_]*\s+|\n+/g;

/** Returns the complete sentences or lines of a growing text; all of it once the text has ended. */
export function finishedPart(text: string, hasEnded: boolean): string {
  if (hasEnded) return text;
  let end = 0;
  for (const found of text.matchAll(END)) end = found.index + found[0].length;
  return text.slice(0, end);
}
