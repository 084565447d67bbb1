import { expect, test } from '@jest/globals';
import { credentialTexts, maskedResult } from './maskedResult.ts';

const connection = {
  type: 'basic',
  credentials: { username: 'ann', password: 'KEY-SECRET-8842', allowedHosts: 'a.test' },
};
const secrets = credentialTexts(connection);
const bodyOf = (body: string | object) => {
  const result = maskedResult(
    { ok: true, output: { status: 200, headers: { echo: 'x' }, body: body as never } },
    secrets,
  );
  return (result as unknown as { output: { body: unknown } }).output.body;
};

test('an answer that repeats the credential is masked in its body, its headers and its failure', () => {
  const header = `Basic ${Buffer.from('ann:KEY-SECRET-8842').toString('base64')}`;
  const output = {
    status: 200,
    headers: { 'x-echo': header },
    body: { got: { authorization: header } },
    durationMs: 1,
  };
  expect(maskedResult({ ok: true, output }, secrets)).toEqual({
    ok: true,
    output: { ...output, headers: { 'x-echo': 'Basic ***' }, body: { got: { authorization: 'Basic ***' } } },
  });
  const failure = { code: 'HTTP_STATUS', message: 'm', retryable: false, details: { body: 'bad KEY-SECRET-8842' } };
  expect(maskedResult({ ok: false, failure } as never, secrets)).toMatchObject({
    failure: { code: 'HTTP_STATUS', details: { body: 'bad ***' } },
  });
});

test.each(['', 'a', 'ab', 'abc'])('bytes as Base64 are masked inside, after %j', (before) => {
  const bytes = Buffer.from(`${before}KEY-SECRET-8842 and more`).toString('base64');
  const text = Buffer.from(String(bodyOf(bytes)), 'base64').toString('latin1');
  expect(text).not.toContain('SECRET');
});

test('public fields of a connection are not masked', () => {
  expect(bodyOf('ann at a.test')).toBe('ann at a.test');
  expect(maskedResult({ ok: true, output: { body: 'x' } }, credentialTexts(undefined))).toEqual({
    ok: true,
    output: { body: 'x' },
  });
});
