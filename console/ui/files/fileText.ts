import { utf8Text } from './utf8Text.ts';

/** Decodes UTF-8, or UTF-16 with a byte order mark ("Unicode text" of spreadsheets). Undefined if it is neither. */
export function fileText(bytes: ArrayBuffer): string | undefined {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return utf8Text(bytes);
}
