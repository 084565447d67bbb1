import { randomBytes } from 'node:crypto';

/** Returns a new address: failed logins are counted by address too, also across runs. */
export function fromElsewhere(): { 'x-forwarded-for': string } {
  const [a, b] = [randomBytes(2), randomBytes(2)].map((bytes) => bytes.toString('hex'));
  return { 'x-forwarded-for': `2001:db8:${a}:${b}::1` };
}
