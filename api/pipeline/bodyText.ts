import { TextDecoder } from 'node:util';
import { Problem } from '../../domain/problem.ts';

/** Lower-case, without parameters; empty where there is none. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/**
 * The text of a body, by the charset of its Content-Type; other parameters say nothing about it (RFC 2045). Throws 415 for an unknown
 * charset, or another one than `only`, and 400 for bytes that are no such text: nothing is stored in place of them.
 */
export function textOf(bytes: Buffer, contentType = '', only?: string): string {
  const label = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  const decoder = decoderOf(label);
  if (!decoder || (only !== undefined && decoder.encoding !== only)) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', `The charset of the body is not ${only ?? 'known'}; send it in utf-8`);
  }
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    const message = `the text is not ${decoder.encoding}`;
    throw new Problem('VALIDATION_FAILED', `The body is not accepted: ${message}`, {
      errors: [{ path: '', message }],
      cause,
    });
  }
}

function decoderOf(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    // An unknown label: the caller says so.
    return undefined;
  }
}
