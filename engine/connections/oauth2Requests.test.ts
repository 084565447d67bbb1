import { expect, test } from '@jest/globals';
import { loopback } from '../../test/setup/loopback.ts';
import { OAuth2Requests, OAuth2Unavailable } from './oauth2Requests.ts';

const TIMEOUT_MS = 2_000;

test('both ways in which an endpoint may take the secret share the time of one call: a refresh ends within its lease', async () => {
  const endpoint = await loopback(({ headers }, response) => {
    if (headers.authorization === undefined) return;
    // It says that it does not take Basic when little of the time is left, and nothing to the other way.
    const refusal = JSON.stringify({ error: 'invalid_client' });
    setTimeout(() => response.writeHead(401, { 'content-type': 'application/json' }).end(refusal), 0.9 * TIMEOUT_MS);
  });
  const requests = new OAuth2Requests({ fetchOf: () => fetch, timeoutMs: TIMEOUT_MS });
  const settings = {
    ...{ grant: 'authorizationCode' as const, authorizationUrl: `${endpoint.url}/authorize`, scopes: '' },
    ...{ tokenUrl: `${endpoint.url}/token`, clientId: 'c', clientSecret: 's' },
  };
  const begun = performance.now();
  const refreshed = requests.renew({ workspaceId: 'w', appId: 'http', settings }, { refreshToken: 'r' });
  await expect(refreshed).rejects.toThrow(OAuth2Unavailable);
  expect(endpoint.calls.map(({ headers }) => headers.authorization !== undefined)).toEqual([true, false]);
  // What was left of it, and not the whole once more.
  expect(performance.now() - begun).toBeLessThan(1.5 * TIMEOUT_MS);
});
