import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
/** The limits of Standard Webhooks for a secret. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function shownSigningSecret(bytes: Uint8Array): string {
  return `${PREFIX}${Buffer.from(bytes).toString('base64')}`;
}

export function isSigningSecret(text: string): boolean {
  const encoded = text.slice(PREFIX.length);
  if (!text.startsWith(PREFIX) || !BASE64.test(encoded)) return false;
  const { length } = Buffer.from(encoded, 'base64');
  return length >= MIN_BYTES && length <= MAX_BYTES;
}

export interface Message {
  id: string;
  /** The time of sending, not of the event: receivers reject old messages. */
  sentAt: Date;
  /** The exact bytes that are sent. */
  body: string;
}

/** The signature of Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `id.seconds.body`. */
export function signedHeaders(secret: string, { id, sentAt, body }: Message): Record<string, string> {
  const seconds = String(Math.floor(sentAt.getTime() / 1_000));
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` };
}
