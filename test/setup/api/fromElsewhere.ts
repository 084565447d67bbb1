import { randomBytes } from 'node:crypto';

/** Failed logins are counted by address too: each comes from one of its own, also when the tests are run again. */
export function fromElsewhere(): { 'x-forwarded-for': string } {
  const [a, b] = [randomBytes(2), randomBytes(2)].map((bytes) => bytes.toString('hex'));
  return { 'x-forwarded-for': `2001:db8:${a}:${b}::1` };
}
