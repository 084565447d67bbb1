import { Ended, EXIT } from './exitCode.ts';

/** Returns the text at an address. It is bounded while it is read, because a server need not declare its length. */
export async function documentAt(url: string, maxBytes: number, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Ended(EXIT.failed, `${url} answered ${response.status}`);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    // Leaving the loop ends the connection.
    if (bytes > maxBytes) throw new Ended(EXIT.failed, `${url} is larger than ${maxBytes} bytes`);
    parts.push(part);
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}
