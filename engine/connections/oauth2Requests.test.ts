import { expect, test } from '@jest/globals';
import { loopback } from '../../test/setup/providers/loopback.ts';
import { OAuth2Requests, OAuth2Unavailable } from './oauth2Requests.ts';

const TIMEOUT_MS = 4_000;

test('both ways in which an endpoint may take the secret share the time of one call: a refresh ends within its lease', async () => {
  const endpoint = await loopback(({ headers }, response) => {
    // It accepts the secret only in the body. Each answer comes in time, but both together do not.
    const [status, answer] =
      headers.authorization === undefined
        ? [200, { access_token: 'a', token_type: 'Bearer' }]
        : [401, { error: 'invalid_client' }];
    const send = () => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    setTimeout(send, 0.6 * TIMEOUT_MS);
  });
  const requests = new OAuth2Requests({ fetchOf: () => fetch, timeoutMs: TIMEOUT_MS });
  const settings = {
    ...{ grant: 'authorizationCode' as const, authorizationUrl: `${endpoint.url}/authorize`, scopes: '' },
    ...{ tokenUrl: `${endpoint.url}/token`, clientId: 'c', clientSecret: 's' },
  };
  const refreshed = requests.renew({ workspaceId: 'w', appId: 'http', settings }, { refreshToken: 'r' });
  await expect(refreshed).rejects.toThrow(OAuth2Unavailable);
  expect(endpoint.calls.map(({ headers }) => headers.authorization !== undefined)).toEqual([true, false]);
});

test("a bot token of Slack is used as a bearer token, and Slack's errors with status 200 are refusals", async () => {
  const answers = [
    { ok: true, access_token: 'xoxb-1', token_type: 'bot', scope: 'chat:write', bot_user_id: 'U1' },
    { ok: false, error: 'invalid_refresh_token' },
  ];
  const endpoint = await loopback((_, response, index) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[index])),
  );
  const requests = new OAuth2Requests({ fetchOf: () => fetch, timeoutMs: TIMEOUT_MS });
  const settings = {
    ...{ grant: 'authorizationCode' as const, authorizationUrl: `${endpoint.url}/authorize`, scopes: '' },
    ...{ tokenUrl: `${endpoint.url}/token`, clientId: 'c', clientSecret: 's' },
  };
  const client = { workspaceId: 'w', appId: 'slack', settings };
  expect(await requests.renew(client, { refreshToken: 'r' })).toEqual({ accessToken: 'xoxb-1', clientAuth: 'basic' });
  await expect(requests.renew(client, { refreshToken: 'r' })).rejects.toMatchObject({ code: 'invalid_refresh_token' });
});
