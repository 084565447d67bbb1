import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import type { Sealed, Sealer } from '../../engine/secrets/sealer.ts';
import { type SealPlace, sealPlace } from '../../engine/secrets/sealPlace.ts';
import type { Database } from '../../prisma/client.ts';
import { readSecondFactor, takeBackupCode, takeStep } from '../../prisma/store/secondFactor/secondFactors.ts';
import { hashToken } from './oneTimeToken.ts';

const PERIOD_S = 30;
/** Steps that a clock may be wrong by, either way. */
const SKEW = 1;
const BACKUP_CODES = 10;
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

export interface Enrolment {
  /** Base32, for people who type it. */
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

/** Ten codes of 80 random bits, for people to keep, and their hashes. */
export function makeBackupCodes(): { codes: string[]; hashes: Uint8Array<ArrayBuffer>[] } {
  const codes = Array.from({ length: BACKUP_CODES }, () => {
    const letters = [...randomBytes(16)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
    return (letters.match(/.{4}/g) as string[]).join('-');
  });
  return { codes, hashes: codes.map((code) => hashToken(plainCode(code))) };
}

/**
 * Whether `token` proves the person's second factor: a TOTP code (RFC 6238) that has not been used, nor a later one, or a backup
 * code. It counts no second time, in any process. `unconfirmed`: of an enrolment that awaits its first code, which takes no
 * backup codes.
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

/** As people may type it. */
function plainCode(code: string): string {
  return code.replaceAll('-', '').toUpperCase();
}
