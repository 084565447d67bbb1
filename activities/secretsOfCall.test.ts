import { expect, test } from '@jest/globals';
import { buildCatalogue } from './apps/catalogue.ts';
import { type ActionResult, failed, succeeded } from './apps/executor.ts';
import { secretsOfCall, withoutSecrets } from './secretsOfCall.ts';

const catalogue = buildCatalogue({ testing: false });
const connection = { type: 'basic', credentials: { username: 'ann', password: 'sesame-7431', allowedHosts: 'a.test' } };
const call = { appId: 'http', actionId: 'request', inputs: {}, connection };
const masked = (result: ActionResult) => withoutSecrets(result, secretsOfCall(catalogue, call));

test.each([
  ['the server said sesame-7431', 'the server said ***'],
  [`authorization: Basic ${btoa('ann:sesame-7431')}`, /^authorization: Basic .*\*\*\*.*$/],
  ['ann may not', 'ann may not'],
])('a failure contains no password: %s', (message, expected) => {
  expect(masked(failed('X', message))).toMatchObject({
    failure: { code: 'X', message: typeof expected === 'string' ? expected : expect.stringMatching(expected) },
  });
});

test('a console hides passwords too; an output stays unchanged, and the secrets in it are listed', () => {
  const result = { ...succeeded({ body: 'sesame-7431' }), console: [{ level: 'warn' as const, text: 'sesame-7431!' }] };
  expect(masked(result)).toEqual({
    ok: true,
    output: { body: 'sesame-7431' },
    console: [{ level: 'warn', text: '***!' }],
    secrets: ['sesame-7431'],
  });
  expect(masked(succeeded({ body: 'ann' }))).toEqual({ ok: true, output: { body: 'ann' } });
});

test('values of secret inputs are masked like credentials', () => {
  const inputs = { algorithm: 'sha256', secret: 'open-sesame', text: 'a' };
  expect(secretsOfCall(catalogue, { appId: 'crypto', actionId: 'hmac', inputs })).toEqual(['open-sesame']);
  expect(secretsOfCall(catalogue, { appId: 'core', actionId: 'set', inputs: { values: 'open-sesame' } })).toEqual([]);
});

test('an output that is too deep to search is kept and fails later', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}"sesame-7431"${']'.repeat(100_000)}`);
  expect(masked(succeeded(deep))).toMatchObject({ ok: true });
});
