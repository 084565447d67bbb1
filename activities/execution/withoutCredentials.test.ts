import { expect, test } from '@jest/globals';
import { buildCatalogue } from '../apps/catalogue.ts';
import { failed, succeeded } from '../apps/executor.ts';
import { withoutCredentials } from './withoutCredentials.ts';

const catalogue = buildCatalogue({ testing: false });
const connection = { type: 'basic', credentials: { username: 'ann', password: 'sesame-7431', allowedHosts: 'a.test' } };
const told = (result: ReturnType<typeof failed>) => withoutCredentials(result, catalogue, 'http', connection);

test.each([
  ['the server said sesame-7431', 'the server said ***'],
  [`authorization: Basic ${btoa('ann:sesame-7431')}`, /^authorization: Basic .*\*\*\*.*$/],
  ['ann may not', 'ann may not'],
])('a failure says no password: %s', (message, expected) => {
  expect(told(failed('X', message))).toMatchObject({
    failure: { code: 'X', message: typeof expected === 'string' ? expected : expect.stringMatching(expected) },
  });
});

test('nor does a console; an output stays as it is', () => {
  const result = { ...succeeded({ body: 'sesame-7431' }), console: [{ level: 'warn' as const, text: 'sesame-7431!' }] };
  expect(told(result)).toEqual({
    ok: true,
    output: { body: 'sesame-7431' },
    console: [{ level: 'warn', text: '***!' }],
  });
  expect(withoutCredentials(failed('X', 'sesame-7431'), catalogue, 'http', undefined)).toMatchObject({
    failure: { message: 'sesame-7431' },
  });
});
