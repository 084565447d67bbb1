// test: long
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { OAUTH_CLIENT, spendTicket, startOAuthProvider } from '../setup/providers/oauthProvider.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { action } from '../setup/workspace/graph.ts';

// A GitHub Enterprise Server on loopback: a real OAuth2 provider at GitHub's addresses, and the used part of its API.

/** Finds a port, because provider and stack must know each other's address in advance. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

const port = await freePort();
const PUBLIC_URL = `http://127.0.0.1:${port}`;
const CALLBACK = '/api/connections/oauth2/callback';

const ISSUE = {
  ...{ number: 17, title: 'Empty', body: null, state: 'open', labels: [], assignees: [], user: { login: 'ann' } },
  html_url: 'https://github.example/acme/shop/issues/17',
  ...{ created_at: '2026-11-21T10:15:30Z', updated_at: '2026-11-21T10:15:30Z' },
};
const asked: string[] = [];
let refusals = 0;
const gitHub = await startOAuthProvider({
  redirectUri: `${PUBLIC_URL}${CALLBACK}`,
  keepOpen: true,
  scopes: ['repo'],
  routes: { authorization: '/login/oauth/authorize', token: '/login/oauth/access_token' },
  respond: ({ method, url }: IncomingMessage) => {
    asked.push(`${method} ${url?.split('?')[0]}`);
    if (refusals > 0) {
      refusals -= 1;
      return {
        status: 403,
        headers: { 'retry-after': '1' },
        body: { message: 'You have exceeded a secondary rate limit' },
      };
    }
    return method === 'GET' ? { status: 200, body: [ISSUE] } : { status: 201, body: ISSUE };
  },
});
afterAll(() => gitHub.close());
const { stack, home } = await ownHome({
  port: String(port),
  environment: {
    ...{ PUBLIC_URL, CLIENT_URL: 'https://app.example' },
    GITHUB_URL: gitHub.issuer,
    OAUTH2_CLIENTS: JSON.stringify([{ appId: 'github', ...OAUTH_CLIENT }]),
  },
});

async function authorized(body: object): Promise<string> {
  const begun = await home.api('POST', '/api/workflow-apps/github/connections/oauth2/authorize', { body });
  expect(begun.status).toBe(201);
  const page = new URL(begun.body.authorizationUrl);
  expect(`${page.origin}${page.pathname}`).toBe(`${PUBLIC_URL}/console/connect`);
  const here = new URL(`${page.pathname}${page.search}`, stack.url);
  const url = new URL(await spendTicket(gitHub.browser, here.href));
  expect(`${url.origin}${url.pathname}`).toBe(`${gitHub.issuer}/login/oauth/authorize`);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    ...{ client_id: OAUTH_CLIENT.clientId, scope: 'repo', redirect_uri: `${PUBLIC_URL}${CALLBACK}` },
  });
  const back = await gitHub.authorize(url.href);
  const answer = await gitHub.comeBack(new URL(`${back.pathname}${back.search}`, stack.url));
  const { searchParams } = new URL(answer.headers.get('location') ?? '');
  expect(searchParams.get('error')).toBeNull();
  return String(searchParams.get('connected'));
}

const repository = { owner: 'acme', repo: 'shop' };

test('people authorize GitHub with the client of the deployment; steps use, renew and wait for it', async () => {
  const connectionId = await authorized({ name: 'GitHub' });
  const read = await home.api('GET', `/api/connections/${connectionId}?expansion=status,workflowAppId`);
  expect(read.body).toMatchObject({ name: 'GitHub', status: 'connected', workflowAppId: 'github' });

  const inputs = { ...repository, title: 'Empty' };
  const create = { appId: 'github', actionId: 'createIssue', connectionId, inputs };
  const opened = await home.api('POST', '/api/actions/run', { body: create });
  expect(opened.body).toMatchObject({ status: 'COMPLETED', output: { number: 17, title: 'Empty', author: 'ann' } });
  expect(asked).toEqual(['POST /api/v3/repos/acme/shop/issues']);
  expect(gitHub.asked).toEqual({ authorization_code: 1 });

  // The token expires early. The deployment's client renews it, and the request is repeated.
  gitHub.revokeAccess();
  refusals = 1;
  const retry = { maximumAttempts: 3, initialIntervalMs: 100 };
  const list = action('list', 'github.listIssues', { ...repository }, { connectionId, retry });
  const workflowId = await home.deploy({ nodes: [list], output: '{{ steps.list.output }}' });
  const listed = await home.ended(await home.execute(workflowId));
  expect(listed).toMatchObject({ status: 'COMPLETED', output: { issues: [{ number: 17 }], hasMore: false } });
  expect(gitHub.asked).toEqual({ authorization_code: 1, refresh_token: 1 });
  const [step] = listed.executionPath;
  expect([step.attempt, step.attempts[0].error.code]).toEqual([2, 'GITHUB_RATE_LIMITED']);

  gitHub.revokeAll();
  const waiting = await home.execute(workflowId);
  await home.until(waiting, ({ status }) => status === 'WAITING');
  await authorized({ connectionToRenew: connectionId });
  expect(await home.ended(waiting)).toMatchObject({ status: 'COMPLETED', output: { hasMore: false } });

  for (const seen of [opened.body, listed, read.body]) {
    expect(JSON.stringify(seen)).not.toContain(OAUTH_CLIENT.clientSecret);
    for (const token of gitHub.given) expect(JSON.stringify(seen)).not.toContain(token);
  }
});
