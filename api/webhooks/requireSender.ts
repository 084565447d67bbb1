import { createHash, timingSafeEqual } from 'node:crypto';
import { Problem } from '../../domain/problem.ts';
import type { HmacConfig, WebhookConfig } from '../../domain/workflow/definition.ts';
import { DEFAULT_SIGNATURE_HEADER, signatureFault } from '../../domain/workflow/webhookSignature.ts';

export const SECRET_HEADER = 'x-webhook-secret';

/** Lower-case, as Node names headers. */
export function signatureHeader({ header = DEFAULT_SIGNATURE_HEADER }: HmacConfig): string {
  return header.toLowerCase();
}

interface Sent {
  headers: Record<string, string | undefined>;
  rawBody: Buffer;
}

/** Throws UNAUTHENTICATED unless the sender proves every secret that the trigger has. */
export function requireSender({ secret, hmac }: WebhookConfig, { headers, rawBody }: Sent): void {
  if (secret !== undefined && !isSame(secret, headers[SECRET_HEADER])) {
    throw new Problem('UNAUTHENTICATED', 'The header X-Webhook-Secret is missing or wrong');
  }
  if (hmac === undefined) return;
  const { header = DEFAULT_SIGNATURE_HEADER } = hmac;
  const fault = signatureFault(hmac, headers[signatureHeader(hmac)], rawBody, Date.now());
  if (fault === 'wrong') throw new Problem('UNAUTHENTICATED', `The signature in ${header} is missing or wrong`);
  if (fault === 'stale') {
    throw new Problem('UNAUTHENTICATED', `The time of the signature in ${header} is outside the tolerance`);
  }
}

/** Node decodes headers as Latin-1, but some senders write UTF-8; both are accepted. */
function isSame(secret: string, given: string | undefined): boolean {
  if (given === undefined) return false;
  const digest = (text: string | Buffer) => createHash('sha256').update(text).digest();
  const readings = [given, Buffer.from(given, 'latin1')];
  return readings.filter((each) => timingSafeEqual(digest(secret), digest(each))).length > 0;
}
