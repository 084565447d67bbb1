import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** scrypt uses 128 * N * r bytes of memory; p multiplies the work. */
export interface HashCost {
  N: number;
  r: number;
  p: number;
}

/** 32 MiB and about 0.3 s of one core. Each hash stores its own cost, so this one can grow. */
const COST: HashCost = { N: 2 ** 15, r: 8, p: 3 };
const KEY_BYTES = 32;
const FORM = /^\$scrypt\$N=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/;

/** Computed at the start, so that an unknown e-mail costs as much as a known one. */
const nobody = encode(COST, randomBytes(16), randomBytes(KEY_BYTES));

export async function hashPassword(password: string, cost = COST): Promise<string> {
  const salt = randomBytes(16);
  return encode(cost, salt, await derive(password, salt, KEY_BYTES, cost));
}

/** Compares in constant time, also for an unknown e-mail. Throws if the stored text is not a hash of this form. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const parts = FORM.exec(stored ?? nobody);
  if (!parts) throw new Error('A stored password hash is not of the form $scrypt$N=…,r=…,p=…$salt$hash');
  const [, N, r, p, salt, hash] = parts as unknown as [string, string, string, string, string, string];
  const expected = Buffer.from(hash, 'base64');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const actual = await derive(password, Buffer.from(salt, 'base64'), expected.length, cost);
  return timingSafeEqual(actual, expected) && stored !== undefined;
}

export function makePassword(): string {
  return randomBytes(18).toString('base64url');
}

function encode(cost: HashCost, salt: Buffer, hash: Buffer): string {
  return `$scrypt$N=${cost.N},r=${cost.r},p=${cost.p}$${salt.toString('base64')}$${hash.toString('base64')}`;
}

function derive(password: string, salt: Buffer, bytes: number, cost: HashCost): Promise<Buffer> {
  const options: ScryptOptions = { ...cost, maxmem: 256 * cost.N * cost.r };
  // Keyboards compose accents differently; NFKC unifies them.
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, bytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
