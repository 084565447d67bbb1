import { createHmac, timingSafeEqual } from 'node:crypto';
import type { HmacConfig } from './definition.ts';

export const DEFAULT_SIGNATURE_HEADER = 'X-Signature';
const DEFAULT_TOLERANCE_SECONDS = 300;
const SECONDS = /^\d{1,12}$/;
const DIGEST = /^[0-9a-f]{64}$/i;

export type SignatureFault = 'wrong' | 'stale';

/**
 * Checks HMAC-SHA256 over the raw bytes: `t=<unix seconds>,v1=<hex>` over `t.body`, with at least one matching v1; or
 * hex over the body. A wrong signature is reported as wrong, whatever its time.
 */
export function signatureFault(
  hmac: HmacConfig,
  header: string | undefined,
  rawBody: Uint8Array,
  nowMs: number,
): SignatureFault | undefined {
  if (header === undefined) return 'wrong';
  const { secret, format, toleranceSeconds = DEFAULT_TOLERANCE_SECONDS } = hmac;
  if (format === 'body') {
    const given = header.trim().replace(/^sha256=/i, '');
    return holds([given], createHmac('sha256', secret).update(rawBody).digest()) ? undefined : 'wrong';
  }
  const parts = header.split(',').map((part) => part.trim());
  const times = valuesOf(parts, 't');
  const [time] = times;
  if (times.length !== 1 || time === undefined || !SECONDS.test(time)) return 'wrong';
  const digest = createHmac('sha256', secret).update(`${time}.`).update(rawBody).digest();
  if (!holds(valuesOf(parts, 'v1'), digest)) return 'wrong';
  return Math.abs(nowMs - Number(time) * 1_000) <= toleranceSeconds * 1_000 ? undefined : 'stale';
}

function valuesOf(parts: string[], key: string): string[] {
  return parts.filter((part) => part.startsWith(`${key}=`)).map((part) => part.slice(key.length + 1));
}

/** Takes the same time however many digits match. */
function holds(given: string[], digest: Buffer): boolean {
  return given.filter((text) => DIGEST.test(text) && timingSafeEqual(Buffer.from(text, 'hex'), digest)).length > 0;
}
