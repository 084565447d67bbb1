// test: long
import { afterAll, expect, test } from '@jest/globals';
import { anyPort } from '../../process/ports.ts';
import { OAUTH_CLIENT, spendTicket, startOAuthProvider } from '../setup/providers/oauthProvider.ts';
import { ownHome } from '../setup/stack/ownHome.ts';

// A Slack on loopback: a real OAuth2 provider at Slack's addresses, in Slack's answers, and the used part of its API.

const port = await anyPort();
const PUBLIC_URL = `http://127.0.0.1:${port}`;
const CALLBACK = '/api/connections/oauth2/callback';
const SCOPES = ['chat:write', 'channels:read', 'groups:read'];

const asked: string[] = [];
const slack = await startOAuthProvider({
  redirectUri: `${PUBLIC_URL}${CALLBACK}`,
  keepOpen: true,
  scopes: SCOPES,
  routes: { authorization: '/oauth/v2/authorize', token: '/api/oauth.v2.access' },
  // Slack reports errors with status 200, and the owner of the token as its type.
  tokenAnswer: (status, { error, ...body }) =>
    status >= 400
      ? { status: 200, body: { ok: false, error: error === 'invalid_grant' ? 'invalid_refresh_token' : error } }
      : {
          status: 200,
          body: {
            ...{ ...body, ok: true, token_type: 'bot', scope: SCOPES.join(','), bot_user_id: 'U1', app_id: 'A1' },
            ...{ team: { id: 'T1', name: 'Shop' }, enterprise: null, authed_user: { id: 'U2' } },
          },
        },
  respond: ({ method, url }) => {
    asked.push(`${method} ${url}`);
    return { status: 200, body: { ok: true, channel: 'C1', ts: '1763720130.000100' } };
  },
  refuse: { status: 200, body: { ok: false, error: 'token_expired' } },
});
afterAll(() => slack.close());
const { stack, home } = await ownHome({
  port: String(port),
  environment: {
    ...{ PUBLIC_URL, CLIENT_URL: 'https://app.example', SLACK_URL: slack.issuer },
    OAUTH2_CLIENTS: JSON.stringify([{ appId: 'slack', ...OAUTH_CLIENT }]),
  },
});

async function authorized(body: object): Promise<URLSearchParams> {
  const begun = await home.api('POST', '/api/workflow-apps/slack/connections/oauth2/authorize', { body });
  expect(begun.status).toBe(201);
  const page = new URL(begun.body.authorizationUrl);
  const here = new URL(`${page.pathname}${page.search}`, stack.url);
  const url = new URL(await spendTicket(slack.browser, here.href));
  expect(`${url.origin}${url.pathname}`).toBe(`${slack.issuer}/oauth/v2/authorize`);
  expect(url.searchParams.get('scope')).toBe(SCOPES.join(','));
  url.searchParams.set('scope', SCOPES.join(' '));
  const back = await slack.authorize(url.href);
  const answer = await slack.comeBack(new URL(`${back.pathname}${back.search}`, stack.url));
  return new URL(answer.headers.get('location') ?? '').searchParams;
}

test('people authorize Slack; messages are posted with its token, which is renewed', async () => {
  const back = await authorized({ name: 'Slack' });
  expect(back.get('error')).toBeNull();
  const connectionId = String(back.get('connected'));
  const inputs = { channel: 'C1', text: 'hi' };
  const post = { appId: 'slack', actionId: 'postMessage', connectionId, inputs };
  const run = () => home.api('POST', '/api/actions/run', { body: post });
  const posted = await run();
  expect(posted.body).toMatchObject({ status: 'COMPLETED', output: { channel: 'C1', ts: '1763720130.000100' } });
  expect(asked).toEqual(['POST /api/chat.postMessage']);

  slack.revokeAccess();
  const renewed = await run();
  expect(renewed.body).toMatchObject({ status: 'COMPLETED', output: { channel: 'C1' } });
  expect(slack.asked).toEqual({ authorization_code: 1, refresh_token: 1 });

  slack.revokeAll();
  const refused = await run();
  expect(refused.body).toMatchObject({ error: { code: 'CONNECTION_NEEDS_RECONNECT' } });
  const read = await home.api('GET', `/api/connections/${connectionId}?expansion=status`);
  expect(read.body).toMatchObject({ status: 'needsReconnect' });
  expect((await authorized({ connectionToRenew: connectionId })).get('error')).toBeNull();
  expect((await run()).body).toMatchObject({ status: 'COMPLETED' });

  for (const seen of [posted.body, renewed.body, refused.body, read.body]) {
    for (const token of [OAUTH_CLIENT.clientSecret, ...slack.given]) expect(JSON.stringify(seen)).not.toContain(token);
  }
});
