import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../domain/json.ts';
import { runExecutor } from '../runExecutor.ts';
import { base64 } from './base64.ts';
import { hash } from './hash.ts';
import { hmac } from './hmac.ts';
import { uuid } from './uuid.ts';

const given = (output: string) => ({ ok: true, output });
const invalid = (message: string) => ({ ok: false, failure: { code: 'INVALID_INPUT', message, retryable: false } });

describe('crypto.hash', () => {
  it.each<[JsonObject, string]>([
    [{ text: 'abc' }, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [{ text: 'abc', algorithm: 'sha1' }, 'a9993e364706816aba3e25717850c26c9cd0d89d'],
    [{ text: 'abc', algorithm: 'md5' }, '900150983cd24fb0d6963f7d28e17f72'],
    [{ text: 'abc', algorithm: 'md5', encoding: 'base64' }, 'kAFQmDzST7DWlj99KOF/cg=='],
    [{ text: 'abc', algorithm: 'md5', encoding: 'base64url' }, 'kAFQmDzST7DWlj99KOF_cg'],
    [{ text: '616263', algorithm: 'md5', textEncoding: 'hex' }, '900150983cd24fb0d6963f7d28e17f72'],
    [{ text: 'YWJj', algorithm: 'md5', textEncoding: 'base64' }, '900150983cd24fb0d6963f7d28e17f72'],
    [{ text: '', algorithm: 'md5' }, 'd41d8cd98f00b204e9800998ecf8427e'],
  ])('%j', async (inputs, expected) => {
    expect(await runExecutor(hash, inputs)).toEqual(given(expected));
  });

  it('has SHA-512', async () => {
    const result = await runExecutor(hash, { text: 'abc', algorithm: 'sha512' });
    expect(result).toMatchObject({
      ok: true,
      output: expect.stringMatching(/^ddaf35a193617aba.{96}2a9ac94fa54ca49f$/),
    });
  });

  it.each<[JsonObject, string]>([
    [{ text: 'xyz', textEncoding: 'hex' }, 'text: expected hex'],
    [{ text: 'a', algorithm: 'crc32' }, 'algorithm: expected one of sha256, sha512, sha1, md5'],
    [{ text: 3 }, 'text: expected text'],
  ])('refuses %j', async (inputs, message) => {
    expect(await runExecutor(hash, inputs)).toEqual(invalid(message));
  });
});

describe('crypto.hmac', () => {
  // RFC 4231, test case 2
  const rfc = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';

  it.each<[JsonObject, string]>([
    [{ text: 'what do ya want for nothing?', secret: 'Jefe' }, rfc],
    [{ text: 'what do ya want for nothing?', secret: '4a656665', secretEncoding: 'hex' }, rfc],
    [{ text: 'what do ya want for nothing?', secret: 'SmVmZQ==', secretEncoding: 'base64' }, rfc],
  ])('%j', async (inputs, expected) => {
    expect(await runExecutor(hmac, inputs)).toEqual(given(expected));
  });

  it('never contains the secret', async () => {
    expect(await runExecutor(hmac, { text: 'a', secret: 'not hex', secretEncoding: 'hex' })).toEqual(
      invalid('secret: expected hex'),
    );
  });
});

describe('crypto.uuid', () => {
  it('is the same in each attempt of a step, and another in another', async () => {
    const first = await runExecutor(uuid, {}, { idempotencyKey: 'a', attempt: 1 });
    expect(await runExecutor(uuid, {}, { idempotencyKey: 'a', attempt: 2 })).toEqual(first);
    expect(await runExecutor(uuid, {}, { idempotencyKey: 'b' })).not.toEqual(first);
    expect(first).toMatchObject({
      output: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    });
  });
});

describe('crypto.base64', () => {
  it.each<[JsonObject, string]>([
    [{ text: 'hello' }, 'aGVsbG8='],
    [{ text: 'ü?>' }, 'w7w/Pg=='],
    [{ text: 'ü?>', urlSafe: true }, 'w7w_Pg'],
    [{ text: 'w7w/Pg==', direction: 'decode' }, 'ü?>'],
    [{ text: 'w7w_Pg', direction: 'decode' }, 'ü?>'],
    [{ text: 'w7w/\nPg==\n', direction: 'decode' }, 'ü?>'],
    [{ text: '', direction: 'decode' }, ''],
  ])('%j', async (inputs, expected) => {
    expect(await runExecutor(base64, inputs)).toEqual(given(expected));
  });

  it.each([['a'], ['a=b='], ['ab='], ['💥'], ['aGVs=bG8=']])('refuses %j', async (text) => {
    expect(await runExecutor(base64, { text, direction: 'decode' })).toEqual(invalid('text: expected Base64'));
  });

  it('refuses bytes that are no text', async () => {
    expect(await runExecutor(base64, { text: '/w==', direction: 'decode' })).toEqual(
      invalid('text: expected Base64 of UTF-8 text, found other bytes'),
    );
  });
});
