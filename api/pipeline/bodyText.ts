import { TextDecoder } from 'node:util';
import { Problem } from '../../domain/problem.ts';

/** Lower-case, without parameters; empty if absent. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Decodes a body by its charset (RFC 2045). Throws 415 for another charset, and 400 for invalid bytes. */
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
    // An unknown charset, which the caller reports.
    return undefined;
  }
}
