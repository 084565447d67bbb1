import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import type { Sealed, Sealer } from '../../engine/secrets/sealer.ts';
import { type SealPlace, sealPlace } from '../../engine/secrets/sealPlace.ts';
import type { Database } from '../../prisma/client.ts';
import { readSecondFactor, takeBackupCode, takeStep } from '../../prisma/store/secondFactor/secondFactors.ts';
import { hashToken } from './oneTimeToken.ts';

const PERIOD_S = 30;
/** Time steps that a clock may be off, either way. */
const SKEW = 1;
const BACKUP_CODES = 10;
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

export interface Enrolment {
  secret: string;
  otpauthUrl: string;
  qrSvg: string;
}

export function makeEnrolment(email: string): Enrolment {
  const totp = totpOf(new Secret({ size: 20 }), email);
  const otpauthUrl = totp.toString();
  return { secret: totp.secret.base32, otpauthUrl, qrSvg: renderSVG(otpauthUrl) };
}

export function sealSecret(sealer: Sealer, userId: string, secret: string): Sealed {
  return sealer.seal(place(userId), secret);
}

/** Returns ten codes of 80 random bits, and their hashes. */
export function makeBackupCodes(): { codes: string[]; hashes: Uint8Array<ArrayBuffer>[] } {
  const codes = Array.from({ length: BACKUP_CODES }, () => {
    const letters = [...randomBytes(16)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
    return (letters.match(/.{4}/g) as string[]).join('-');
  });
  return { codes, hashes: codes.map((code) => hashToken(plainCode(code))) };
}

/**
 * `token` is a TOTP code (RFC 6238) newer than the last used one, or a backup code. Each works once across all
 * processes. `unconfirmed`: of an enrolment awaiting its first code, which accepts no backup codes.
 */
export async function useSecondFactor(
  { database, sealer }: { database: Database; sealer: Sealer },
  userId: string,
  token: string,
  { unconfirmed = false } = {},
): Promise<boolean> {
  const text = token.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(text)) {
    return unconfirmed ? false : takeBackupCode(database, userId, hashToken(plainCode(text)));
  }
  const factor = await readSecondFactor(database, userId);
  if (!factor || factor.isConfirmed === unconfirmed) return false;
  const totp = totpOf(Secret.fromBase32(sealer.open(place(userId), factor)), '');
  const now = Date.now();
  const delta = totp.validate({ token: text, window: SKEW, timestamp: now });
  if (delta === null) return false;
  const step = totp.counter({ timestamp: now }) + delta;
  return takeStep(database, userId, { sealed: factor.sealed, step }, unconfirmed);
}

function totpOf(secret: Secret, label: string): TOTP {
  return new TOTP({ issuer: 'Perdure', label, secret, algorithm: 'SHA1', digits: 6, period: PERIOD_S });
}

function place(userId: string): SealPlace {
  return sealPlace('second_factors', { user_id: userId });
}

function plainCode(code: string): string {
  return code.replaceAll('-', '').toUpperCase();
}
