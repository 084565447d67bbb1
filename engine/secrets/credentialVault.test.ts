import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createCredentialVault } from './credentialVault.ts';

const key = (id: string, bytes = 32) => `${id}:${randomBytes(bytes).toString('base64')}`;
const owner = {
  workspaceId: '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f',
  connectionId: '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e60',
};

test('a sealed value opens with its key, and not without it', () => {
  const vault = createCredentialVault(key('k1'));
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string()), (plain) => {
      const credentials = { ...plain };
      expect(vault.open(owner, vault.seal(owner, credentials))).toEqual(credentials);
    }),
  );
  const { sealed } = vault.seal(owner, { password: 'correct horse' });
  expect(Buffer.from(sealed).includes('correct')).toBe(false);
});

test('no two seals of the same credentials are alike', () => {
  const vault = createCredentialVault(key('k1'));
  const seals = new Set(
    Array.from({ length: 50 }, () => Buffer.from(vault.seal(owner, { a: 'b' }).sealed).toString('hex')),
  );
  expect(seals.size).toBe(50);
});

test("a row cannot take another's credentials, in the same workspace or another", () => {
  const vault = createCredentialVault(key('k1'));
  const sealed = vault.seal(owner, { a: 'b' });
  const other = '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e61';
  expect(() => vault.open({ ...owner, connectionId: other }, sealed)).toThrow(/do not open/);
  expect(() => vault.open({ ...owner, workspaceId: other }, sealed)).toThrow(/do not open/);
});

test('a change of any bit is found', () => {
  const vault = createCredentialVault(key('k1'));
  const { sealed, keyId } = vault.seal(owner, { a: 'b' });
  for (let byte = 0; byte < sealed.length; byte++) {
    const changed = Uint8Array.from(sealed);
    changed[byte] = (changed[byte] ?? 0) ^ 1;
    expect(() => vault.open(owner, { sealed: changed, keyId })).toThrow(/do not open/);
  }
  expect(() => vault.open(owner, { sealed: sealed.subarray(0, 20), keyId })).toThrow(/do not open/);
});

test('keys rotate: the first seals, all open, a key that is gone is named', () => {
  const former = key('2025');
  const sealed = createCredentialVault(former).seal(owner, { a: 'b' });
  const rotated = createCredentialVault(`${key('2026')}, ${former}`);
  expect(rotated.open(owner, sealed)).toEqual({ a: 'b' });
  expect(rotated.seal(owner, {}).keyId).toBe('2026');
  expect(() => createCredentialVault(key('2026')).open(owner, sealed)).toThrow(
    /the key "2025", which ENCRYPTION_KEY lacks/,
  );
});

test.each([
  [undefined, /key 1: .*the id is missing/],
  ['', /key 1: .*the id is missing/],
  [randomBytes(32).toString('base64'), /key 1: .*the id is missing/],
  [key('k1', 16), /key 1: .*"k1" has 16 bytes/],
  [`${key('k1')},${key('k2', 33)}`, /key 2: .*"k2" has 33 bytes/],
  [`${key('k1')},${key('k1')}`, /"k1" twice/],
])('ENCRYPTION_KEY %# is refused, and not printed', (keys, message) => {
  expect(() => createCredentialVault(keys)).toThrow(message);
  const secret = keys?.split(/[:,]/).at(-1);
  if (secret) expect(() => createCredentialVault(keys)).not.toThrow(secret);
});
