import { createHash, timingSafeEqual } from 'node:crypto';
import { Problem } from '../../domain/problem.ts';
import type { WebhookConfig } from '../../domain/workflow/definition.ts';
import { signatureFault, signatureHeaders } from '../../domain/workflow/webhookSignature.ts';

export const SECRET_HEADER = 'x-webhook-secret';

interface Sent {
  headers: Record<string, string | undefined>;
  rawBody: Buffer;
}

/** Throws UNAUTHENTICATED unless the sender proves every secret that the trigger has. */
export function requireSender(config: WebhookConfig, sent: Sent): void {
  const fault = senderFault(config, sent);
  if (fault !== undefined) throw new Problem('UNAUTHENTICATED', fault);
}

export function senderFault({ secret, hmac }: WebhookConfig, { headers, rawBody }: Sent): string | undefined {
  if (secret !== undefined && !isSame(secret, headers[SECRET_HEADER])) {
    return 'The header X-Webhook-Secret is missing or wrong';
  }
  if (hmac === undefined) return undefined;
  const { signature: header, time } = signatureHeaders(hmac);
  // Node has names of headers in lower case.
  const sent = { signature: headers[header.toLowerCase()], time: time && headers[time.toLowerCase()] };
  const fault = signatureFault(hmac, sent, rawBody, Date.now());
  if (fault === 'wrong') return `The signature in ${header} is missing or wrong`;
  return fault && `The time of the signature in ${header} is outside the tolerance`;
}

/** Node decodes headers as Latin-1, but some senders write UTF-8; both are accepted. */
function isSame(secret: string, given: string | undefined): boolean {
  if (given === undefined) return false;
  const digest = (text: string | Buffer) => createHash('sha256').update(text).digest();
  const readings = [given, Buffer.from(given, 'latin1')];
  return readings.filter((each) => timingSafeEqual(digest(secret), digest(each))).length > 0;
}
