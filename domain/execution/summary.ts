/** Limit of the engine for a summary, as JSON in UTF-8. */
const MAX_BYTES = 400;
/** A text of this length fits with any characters. */
const SURELY_FITS = 60;

/** An execution by name, and by its number in its workspace where that is known. */
interface Numbered {
  name: string;
  number?: number | undefined;
}

/** How lists of the Temporal UI and its page call an execution. The number comes first: a long name is cut. */
export function executionTitle({ name, number }: Numbered): string {
  return number === undefined ? name : `#${number} ${name}`;
}

/** In the memo, which the engine returns for each workflow of a list. */
export function executionMemo({ name, number }: Numbered): Record<string, string | number> {
  return { workflow: summary(name), ...(number === undefined ? {} : { number }) };
}

/** Cuts the text for a workflow, timer or activity in the Temporal UI to the length that the engine accepts. */
export function summary(text: string): string {
  if (text.length <= SURELY_FITS || bytesOf(text) <= MAX_BYTES) return text;
  let bytes = bytesOf('…');
  let kept = '';
  for (const character of text) {
    bytes += bytesOf(character) - 2;
    if (bytes > MAX_BYTES) break;
    kept += character;
  }
  return `${kept}…`;
}

function bytesOf(text: string): number {
  let bytes = 0;
  for (const character of JSON.stringify(text)) {
    const code = character.codePointAt(0) as number;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
