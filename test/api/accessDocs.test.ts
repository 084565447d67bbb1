import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readConfig } from '../../config.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { answersOf, commandsOf, printedBy } from '../setup/documents/documentedCommands.ts';
import { action, manual } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';
import { logIn } from '../setup/workspace/people.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

const PAGE = join(PROJECT_ROOT, 'docs/access.md');

test('docs/access.md: a person confirms who they are, as it is written', async () => {
  const workspace = await makeWorkspace();
  const { access_token } = await logIn(workspace, workspace);
  const environment = { URL: workspace.url, TOKEN: access_token, PASSWORD: workspace.password };
  const printed = await printedBy(commandsOf(PAGE, 'Confirm who you are'), workspace, environment);
  const [shown] = answersOf(printed);
  expect(Date.parse(shown.confirmedUntil)).toBeGreaterThan(Date.now());
});

test('docs/access.md: a key that may only run workflows, as it is written', async () => {
  const home = await makeHome();
  const WORKFLOW = await home.deploy({ trigger: manual(), nodes: [action('set', 'core.set', { values: { a: 1 } })] });
  const commands = commandsOf(PAGE, 'Give a person or a key permissions');
  const printed = await printedBy(commands, home, { URL: home.url, ADMIN_KEY: home.apiKey, WORKFLOW });
  const [started, read, ran] = answersOf(printed);
  expect(await home.ended(started.executionId)).toMatchObject({ status: 'COMPLETED' });
  expect(read).toMatchObject({ status: 403, code: 'FORBIDDEN', detail: 'The permission objects:read is missing' });
  const [, documented = ''] = /^The last answer:\n\n```json\n(.*?)^```$/ms.exec(readFileSync(PAGE, 'utf8')) ?? [];
  expect(ran).toMatchObject(JSON.parse(documented));
});

test('docs/access.md: the settings of mail and single sign-on are taken as they are written', async () => {
  const settings = ['Send links by e-mail', 'Set up single sign-on']
    .map((section) => commandsOf(PAGE, section))
    .join('\n');
  const [environment] = answersOf(
    await printedBy(`${settings}\nnode -p 'JSON.stringify(process.env)'`, await makeWorkspace()),
  );
  const { SMTP_URL, MAIL_FROM, CLIENT_URL, PUBLIC_URL, SSO_PROVIDERS } = environment;
  const config = readConfig({
    ...{ SMTP_URL, MAIL_FROM, CLIENT_URL, PUBLIC_URL, SSO_PROVIDERS },
    TOKEN_SECRET: 'x'.repeat(32),
    ENCRYPTION_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
    DATABASE_URL: 'postgres://localhost/none',
  });
  expect(config).toMatchObject({
    MAIL_FROM,
    CLIENT_URL,
    PUBLIC_URL,
    SSO_PROVIDERS: [{ id: 'acme', ssoEnforced: true }],
  });
});
