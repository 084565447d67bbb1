import { expect, test } from '@jest/globals';
import { endsWithin, withoutRenewal } from './oauth2.ts';

const NOW = 1_800_000_000_000;
const BEFORE_MS = 60_000;
const isDue = (leftMs: number | undefined, lastsMs?: number) => {
  const expiresAt = leftMs === undefined ? {} : { expiresAt: NOW + leftMs };
  return endsWithin({ accessToken: 't', ...expiresAt, ...(lastsMs === undefined ? {} : { lastsMs }) }, BEFORE_MS, NOW);
};

test('an access token is renewed OAUTH2_REFRESH_BEFORE_MS before its end, a short one a tenth of its life before', () => {
  expect([isDue(60_001), isDue(59_999), isDue(-1)]).toEqual([false, true, true]);
  const minute = (leftMs: number) => isDue(leftMs, 60_000);
  expect([minute(6_001), minute(5_999)]).toEqual([false, true]);
  expect(isDue(undefined)).toBe(false);
});

test('code outside Perdure gets an access token without what renews it', () => {
  const secrets = { refreshToken: 'r', formerAccessToken: 'f', clientSecret: 's' };
  expect(withoutRenewal({ clientId: 'c', accessToken: 't', ...secrets })).toEqual({ clientId: 'c', accessToken: 't' });
  expect(withoutRenewal({ apiKey: 'k', clientSecret: 's' })).toEqual({ apiKey: 'k', clientSecret: 's' });
});
