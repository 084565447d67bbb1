import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BROWSER_BUFFER } from './buffer.ts';
import { createHash as browserHash } from './crypto.ts';

const bytesOf = (value: Uint8Array) => [...value];

test('sha256 of texts and bytes, in pieces too, is that of Node', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 300 }), (text, bytes) => {
      expect(browserHash('sha256').update(text).update(bytes).digest('hex')).toBe(
        createHash('sha256').update(text).update(bytes).digest('hex'),
      );
      expect(bytesOf(browserHash('sha256').update(text).digest())).toEqual(
        bytesOf(createHash('sha256').update(text).digest()),
      );
    }),
  );
});

test('a hash that is not there is refused', () => {
  expect(() => browserHash('md4')).toThrow('the console has no hash md4');
});

test('texts become bytes, and bytes base64 and back, as with Node', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 100 }), (text, bytes) => {
      expect(bytesOf(BROWSER_BUFFER.from(text, 'utf8'))).toEqual(bytesOf(Buffer.from(text, 'utf8')));
      expect(BROWSER_BUFFER.byteLength(text)).toBe(Buffer.byteLength(text));
      const base64 = Buffer.from(bytes).toString('base64');
      expect(BROWSER_BUFFER.from(bytes).toString('base64')).toBe(base64);
      expect(bytesOf(BROWSER_BUFFER.from(base64, 'base64'))).toEqual(bytesOf(bytes));
    }),
  );
});

test('loose base64 is read as Node reads it', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9+/_-]{0,40}={0,2}$/), (text) => {
      expect(bytesOf(BROWSER_BUFFER.from(text, 'base64'))).toEqual(bytesOf(Buffer.from(text, 'base64')));
    }),
  );
});

test('bytes are compared as with Node', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 4, max: 2 }), fc.uint8Array({ maxLength: 4, max: 2 }), (one, other) => {
      expect(BROWSER_BUFFER.compare(one, other)).toBe(Buffer.compare(one, other));
    }),
  );
});
