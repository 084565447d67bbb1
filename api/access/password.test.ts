import { expect, test } from '@jest/globals';
import { hashPassword, verifyPassword } from './password.ts';

test('a password verifies against its hash and no other does', async () => {
  const hash = await hashPassword('correct horse');
  expect(hash).toMatch(/^\$scrypt\$N=32768,r=8,p=3\$/);
  expect(hash).not.toBe(await hashPassword('correct horse'));
  expect(await verifyPassword('correct horse', hash)).toBe(true);
  expect(await verifyPassword('correct Horse', hash)).toBe(false);
});

test('verifies older hashes by their own parameters', async () => {
  // crypto.scryptSync('old', Buffer.alloc(16), 32, { N: 1024, r: 8, p: 1 })
  const old = '$scrypt$N=1024,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA==$I3pHC5g7H1CZ949mBRMmtv7VEB5bH5S4Jo4MQ8eOUm8=';
  expect(await verifyPassword('old', old)).toBe(true);
  expect(await verifyPassword('new', old)).toBe(false);
});

test('accepts an accent composed either way', async () => {
  expect(await verifyPassword('cafe\u0301', await hashPassword('caf\u00e9'))).toBe(true);
});

test('an unknown user costs as much as a known one', async () => {
  const hash = await hashPassword('x');
  const costs = { known: [] as number[], unknown: [] as number[] };
  for (let round = 0; round < 3; round++) {
    for (const [name, stored] of [
      ['known', hash],
      ['unknown', undefined],
    ] as const) {
      const start = process.cpuUsage();
      expect(await verifyPassword('y', stored)).toBe(false);
      const { user, system } = process.cpuUsage(start);
      costs[name].push(user + system);
    }
  }
  // CPU time, which other processes do not disturb.
  const ratio = Math.min(...costs.unknown) / Math.min(...costs.known);
  expect(ratio).toBeGreaterThan(0.25);
  expect(ratio).toBeLessThan(4);
});

test('a stored text of another form is an error, not a refusal', async () => {
  await expect(verifyPassword('x', 'plain')).rejects.toThrow(/not of the form/);
});
