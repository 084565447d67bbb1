/** Thrown for a message that was not signed with the secret, or that is too old. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}

export interface SignedMessage {
  /** The body as received, byte for byte. */
  body: string;
  /** Headers of the request; names in any case. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The secret as shown at its creation: `whsec_` and base64. Several during a rotation. */
  secret: string | string[];
  /** Allowed difference between the message's time and now; 300,000 by default. */
  toleranceMs?: number;
}

const TOLERANCE_MS = 300_000;

/** Verifies a message by Standard Webhooks and returns its parsed body. Throws a SignatureError. */
export async function verifySignature({
  body,
  headers,
  secret,
  toleranceMs = TOLERANCE_MS,
}: SignedMessage): Promise<unknown> {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature');
  if (!/^\d+$/.test(timestamp)) throw new SignatureError('webhook-timestamp is not a number of seconds');
  if (Math.abs(Date.now() - Number(timestamp) * 1000) > toleranceMs) {
    throw new SignatureError('webhook-timestamp is too far from now');
  }
  const message = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const each of [secret].flat()) {
    const key = await crypto.subtle.importKey('raw', keyBytes(each), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'verify',
    ]);
    for (const signature of signatures.split(' ')) {
      const bytes = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : undefined;
      // WebCrypto compares in constant time.
      if (bytes !== undefined && (await crypto.subtle.verify('HMAC', key, bytes, message))) return JSON.parse(body);
    }
  }
  throw new SignatureError('webhook-signature does not match this secret');
}

function header(headers: SignedMessage['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : ofRecord(headers, name);
  if (!value) throw new SignatureError(`The header ${name} is missing`);
  return value;
}

function ofRecord(headers: Record<string, string | string[] | undefined>, name: string): string | undefined {
  const entry = Object.entries(headers).find(([each]) => each.toLowerCase() === name);
  return entry === undefined ? undefined : [entry[1]].flat()[0];
}

function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (bytes === undefined) throw new SignatureError('The secret is not base64');
  return bytes;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
