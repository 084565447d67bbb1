import { createHmac, timingSafeEqual } from 'node:crypto';
import type { HmacConfig } from './definition.ts';

const DEFAULT_TOLERANCE_SECONDS = 300;
const SECONDS = /^\d{1,12}$/;
const DIGEST = /^[0-9a-f]{64}$/i;

export type SignatureFault = 'wrong' | 'stale';

/** The headers as senders write them. */
export function signatureHeaders({ format, header = 'X-Signature' }: Pick<HmacConfig, 'format' | 'header'>): {
  signature: string;
  /** For Slack: the header of the time. */
  time?: string;
} {
  if (format !== 'slack') return { signature: header };
  return { signature: 'X-Slack-Signature', time: 'X-Slack-Request-Timestamp' };
}

/**
 * Checks HMAC-SHA256 over the raw bytes: `t=<unix seconds>,v1=<hex>` over `t.body`, with at least one matching v1; hex
 * over the body; or Slack's `v0=<hex>` over `v0:<time>:body`. A wrong signature is reported as wrong, whatever its time.
 */
export function signatureFault(
  hmac: HmacConfig,
  sent: { signature: string | undefined; time?: string | undefined },
  rawBody: Uint8Array,
  nowMs: number,
): SignatureFault | undefined {
  if (sent.signature === undefined) return 'wrong';
  const { secret, format } = hmac;
  if (format === 'body') {
    const given = sent.signature.trim().replace(/^sha256=/i, '');
    return holds([given], createHmac('sha256', secret).update(rawBody).digest()) ? undefined : 'wrong';
  }
  const parts = sent.signature.split(',').map((part) => part.trim());
  const isSlack = format === 'slack';
  const times = isSlack ? [sent.time ?? ''] : valuesOf(parts, 't');
  const [time] = times;
  if (times.length !== 1 || time === undefined || !SECONDS.test(time)) return 'wrong';
  const digest = createHmac('sha256', secret)
    .update(isSlack ? `v0:${time}:` : `${time}.`)
    .update(rawBody)
    .digest();
  if (!holds(valuesOf(parts, isSlack ? 'v0' : 'v1'), digest)) return 'wrong';
  const { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS } = hmac;
  return Math.abs(nowMs - Number(time) * 1_000) <= toleranceSeconds * 1_000 ? undefined : 'stale';
}

function valuesOf(parts: string[], key: string): string[] {
  return parts.filter((part) => part.startsWith(`${key}=`)).map((part) => part.slice(key.length + 1));
}

/** Takes the same time however many digits match. */
function holds(given: string[], digest: Buffer): boolean {
  return given.filter((text) => DIGEST.test(text) && timingSafeEqual(Buffer.from(text, 'hex'), digest)).length > 0;
}
