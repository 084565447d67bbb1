/** Temporal's limit for a summary, as JSON in UTF-8. */
const MAX_BYTES = 400;
/** A text of this length always fits. */
const SURELY_FITS = 60;

interface Numbered {
  name: string;
  number?: number | undefined;
}

/** Returns the title of an execution in Temporal's UI. The number comes first because long names are cut. */
export function executionTitle({ name, number }: Numbered): string {
  return number === undefined ? name : `#${number} ${name}`;
}

/** Returns the memo, which Temporal includes for each workflow in a list. */
export function executionMemo({ name, number }: Numbered): Record<string, string | number> {
  return { workflow: summary(name), ...(number === undefined ? {} : { number }) };
}

/** Cuts the text for a workflow, timer or activity in the Temporal UI to the length that Temporal accepts. */
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
