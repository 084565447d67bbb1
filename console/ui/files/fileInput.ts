import type { MouseEvent } from 'react';

/** Decodes UTF-8, or UTF-16 with a byte order mark ("Unicode text" of spreadsheets). Undefined if it is neither. */
export function fileText(bytes: ArrayBuffer): string | undefined {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return utf8Text(bytes);
}

/** Undefined if the bytes are not UTF-8. */
export function utf8Text(bytes: ArrayBuffer | Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** For the input of a `FileButton`: browsers ignore the same file again, for example after a correction. */
export const SAME_FILE_AGAIN = {
  onClick: ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
    currentTarget.value = '';
  },
};
