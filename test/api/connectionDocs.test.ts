import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { answersOf, commandsOf, printedBy } from '../setup/documents/documentedCommands.ts';
import { OAUTH_CLIENT, startOAuthProvider } from '../setup/providers/oauthProvider.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

const PAGE = join(PROJECT_ROOT, 'docs/connections.md');

test('docs/connections.md: OAuth2 by hand, as it is written', async () => {
  const workspace = await makeWorkspace();
  const redirectUri = `${workspace.url.replace(/\/$/, '')}/api/connections/oauth2/callback`;
  const provider = await startOAuthProvider({ redirectUri });
  const environment = {
    AUTHORIZATION_URL: `${provider.issuer}/auth`,
    TOKEN_URL: `${provider.issuer}/token`,
    API_URL: `${provider.issuer}/api/accounts`,
    CLIENT_ID: OAUTH_CLIENT.clientId,
    CLIENT_SECRET: OAUTH_CLIENT.clientSecret,
  };
  const first = commandsOf(PAGE, 'Connect with OAuth2');
  const [begun] = answersOf(await printedBy(first, workspace, environment));
  const back = await provider.authorize(begun.authorizationUrl);
  const { headers } = await provider.comeBack(back);
  expect(headers.get('location')).toContain('/connections?connected=');

  const helpers = first.slice(0, first.indexOf('# Where the person goes'));
  const then = `${helpers}\n${commandsOf(PAGE, 'Use the connection')}`;
  const [read, tested, run, waiting, again] = answersOf(await printedBy(then, workspace, environment));
  expect(read).toMatchObject({ name: 'Bank', status: 'connected' });
  expect(tested).toMatchObject({ status: 'connected' });
  expect(run).toMatchObject({ status: 'COMPLETED', output: { body: { isGood: true } } });
  expect(waiting).toEqual([]);
  expect(again.authorizationUrl).toContain('/console/connect?ticket=');
}, 60_000);
