// test: long
import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { api } from '../setup/api/client.ts';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  ALL_VIEWS_MS,
  expectAccessible,
  expectAccessibleInAll,
  logInThere,
  openConsole,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { spendTicket, startOAuthProvider } from '../setup/providers/oauthProvider.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { logIn } from '../setup/workspace/people.ts';

withBrowser();

async function menuOf(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

async function ownerAt(path: string) {
  const { home, owner } = await homeWithOwner();
  const { page, complaints } = await openConsole(home.url, `/console/settings/${path}`);
  await logInThere(page, owner);
  await page
    .getByRole('heading', { level: 1 })
    .and(page.getByText(/^(?!Log in$)/))
    .waitFor();
  return { home, owner, page, complaints, dialog: page.getByRole('dialog') };
}

inBrowser(
  'connects an app, shows a problem at its field, tests and renames it, and keeps it while it is used',
  async () => {
    const { home, page, complaints, dialog } = await ownerAt('connections');
    await page.getByText('No connections yet.').waitFor();
    await page.getByRole('button', { name: 'Connect an app' }).click();
    await dialog.getByLabel('App', { exact: true }).selectOption({ label: 'HTTP' });
    await dialog.getByLabel('Name (optional)').fill('Shop API');
    await dialog.getByRole('textbox', { name: 'API key' }).fill('key-of-the-shop-55131');
    await dialog.getByLabel('Hosts').fill('https://not a host/');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog.locator('.mantine-InputWrapper-error', { hasText: 'host' }).waitFor();
    await dialog.getByLabel('Hosts').fill('api.shop.example, *.shop.example');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    const table = page.getByRole('table', { name: 'HTTP' });
    await table.getByText('Shop API').waitFor();
    await menuOf(page, 'Shop API', 'Test');
    await page.getByText('Shop API works.').waitFor();
    await page.context().grantPermissions(['clipboard-write']);
    await menuOf(page, 'Shop API', 'Copy the reference for project files');
    await page.getByText('Copied @connection/shop-api.').waitFor();
    await menuOf(page, 'Shop API', 'Rename');
    await dialog.getByLabel('Name').fill('Shop');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await table.getByText('Shop', { exact: true }).waitFor();
    await menuOf(page, 'Shop', 'Assign…');
    await dialog.getByLabel('Only for assigned roles, people and keys').check();
    await dialog.getByRole('combobox', { name: 'Roles' }).click();
    await page.getByRole('option', { name: 'Builder' }).click();
    await page.getByRole('option', { name: 'Owner' }).click();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await table.getByText('Assigned to 2').waitFor();
    const [connection] = (await home.api('GET', '/api/connections?includeType=all&expansion=assignments,isManaged'))
      .body;
    expect(connection).toMatchObject({ isManaged: true, assignments: [{ id: 'builder' }, { id: 'owner' }] });
    await home.api('PATCH', `/api/connections/${connection.id}`, { body: { isManaged: false } });
    await home.deploy({
      name: 'Reads the shop',
      nodes: [
        {
          id: 'read',
          type: 'action',
          appId: 'http',
          actionId: 'request',
          connectionId: connection.id,
          inputs: { url: 'https://api.shop.example/' },
        },
      ],
    });
    await menuOf(page, 'Shop', 'Delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('Workflow: Reads the shop').waitFor();
    expect(await page.content()).not.toContain('55131');
    expect(complaints).toEqual([]);
  },
);

inBrowser('OAuth2 returns from the provider with a connection, or with an explanation of the refusal', async () => {
  const { home, page, dialog } = await ownerAt('connections');
  const provider = await startOAuthProvider({
    redirectUri: new URL('/api/connections/oauth2/callback', home.url).href,
  });
  const fill = async () => {
    await page.getByRole('button', { name: 'Connect an app' }).click();
    await dialog.getByLabel('App', { exact: true }).selectOption({ label: 'HTTP' });
    await dialog.getByLabel('Kind of credentials').selectOption({ label: 'OAuth2' });
    const { authorizationUrl, tokenUrl, clientId, clientSecret, allowedHosts } = provider.credentials;
    await dialog.getByLabel('Authorization address').fill(String(authorizationUrl));
    await dialog.getByLabel('Token address').fill(String(tokenUrl));
    await dialog.getByLabel('Scopes').fill('accounts');
    await dialog.getByLabel('Client id').fill(String(clientId));
    await dialog.getByRole('textbox', { name: 'Client secret' }).fill(String(clientSecret));
    await dialog.getByLabel('Hosts').fill(String(allowedHosts));
    await dialog.getByRole('button', { name: 'Go to the provider' }).click();
  };
  provider.denies = true;
  await fill();
  await page.getByText('The authorization was denied at the provider. Nothing was stored.').waitFor();
  await page.getByText('No connections yet.').waitFor();
  provider.denies = false;
  await fill();
  await page.getByText('The connection is ready. Steps that waited for it continue.').waitFor();
  await page.getByRole('table', { name: 'HTTP' }).getByText('Connected').waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/settings/connections');
});

inBrowser(
  'the link of a connection asks before it leads to the provider, and the provider returns another browser to words',
  async () => {
    const { home } = await ownerAt('connections');
    const provider = await startOAuthProvider({
      redirectUri: new URL('/api/connections/oauth2/callback', home.url).href,
    });
    const path = '/api/workflow-apps/http/connections/oauth2/authorize';
    const begin = async () =>
      (await home.api('POST', path, { body: { credentials: provider.credentials } })).body.authorizationUrl as string;
    const connections = async () => (await home.api('GET', '/api/connections')).body as unknown[];

    // The attacker uses the ticket and sends the provider's address to another browser.
    const theirs = await spendTicket(provider.browser, await begin());
    const victim = await openConsole(home.url, '/console/login');
    await victim.page.goto(theirs);
    await victim.page.getByRole('heading', { name: 'Started in another browser' }).waitFor();
    expect(new URL(victim.page.url()).pathname).toBe('/console/connect');
    await expectAccessibleInAll(victim.page);
    expect(provider.asked).toEqual({});
    expect(await connections()).toEqual([]);

    // The attacker sends the link, which names the workspace and waits for a click.
    const { workspace } = (await home.api('GET', '/api/users/me')).body;
    await victim.page.goto(await begin());
    const button = victim.page.getByRole('button', { name: 'Continue to HTTP' });
    await button.waitFor();
    expect(await victim.page.textContent('main')).toContain(workspace.name);
    await expectAccessibleInAll(victim.page);
    expect(provider.asked).toEqual({});
    expect(await victim.page.context().cookies()).not.toContainEqual(
      expect.objectContaining({ name: expect.stringContaining('perdure_oauth2') }),
    );
    await button.click();
    await victim.page.getByRole('heading', { name: 'The account is connected.' }).waitFor();
    expect(provider.asked).toEqual({ authorization_code: 1 });
    expect(await connections()).toHaveLength(1);
  },
);

inBrowser(
  'variables: each type has its input, JSON its problem at once, a secret is never read, and no change goes over another',
  async () => {
    const { home, page, complaints, dialog } = await ownerAt('variables');
    await page.getByRole('button', { name: 'Add a variable' }).click();
    await dialog.getByLabel('Name').fill('LIMITS');
    const code = dialog.getByRole('textbox', { name: 'Value' });
    const type = dialog.getByLabel('Type');
    const table = page.getByRole('table', { name: 'Variables' });
    const save = () => dialog.getByRole('button', { name: 'Save' }).click();
    // An invalid number is cleared.
    await code.fill('12,5');
    await type.selectOption('number');
    expect(await code.inputValue()).toBe('');
    await code.fill('12,5');
    await dialog.getByText('This is not a number.').waitFor();
    await expectAccessibleInAll(page);
    await code.fill('12.5');
    await save();
    await table.getByText('12.5', { exact: true }).waitFor();
    await menuOf(page, 'LIMITS', 'Edit');
    expect([await type.inputValue(), await code.inputValue()]).toEqual(['number', '12.5']);
    await type.selectOption('boolean');
    await dialog.getByLabel('Value', { exact: true }).selectOption('true');
    await save();
    await table.getByText('true', { exact: true }).waitFor();
    await menuOf(page, 'LIMITS', 'Edit');
    await type.selectOption('json');
    // Typed, because `fill` makes the browser write styles, which the page's policy blocks.
    const write = async (text: string) => {
      await code.click();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
    };
    await write('{"orders": }');
    await dialog.getByText('This is not JSON').waitFor();
    await write('{"orders": 5}');
    await save();
    await table.getByText('{"orders":5}').waitFor();
    await page.getByRole('button', { name: 'Add a variable' }).click();
    await dialog.getByLabel('Name').fill('TOKEN');
    await dialog.getByLabel('Secret: the value cannot be read').check();
    await dialog.getByRole('textbox', { name: 'New value' }).fill('very-secret-81251');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await table.getByText('TOKEN').waitFor();
    expect(await page.content()).not.toContain('81251');
    await menuOf(page, 'LIMITS', 'Edit');
    await code.waitFor();
    const all = (await home.api('GET', '/api/variables')).body as { id: string; name: string }[];
    const id = all.find(({ name }) => name === 'LIMITS')?.id;
    await home.api('PATCH', `/api/variables/${id}`, { body: { value: 6 } });
    await write('7');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Someone else has changed this in the meantime').waitFor();
    await dialog.getByRole('button', { name: 'Leave as it is' }).click();
    expect((await home.api('GET', `/api/variables/${id}?expansion=value`)).body.value).toBe(6);
    expect(complaints).toEqual([]);
  },
);

inBrowser('a person is invited, chooses a password at the link, and the last owner stays', async () => {
  const { home, owner, page, complaints, dialog } = await ownerAt('people');
  const email = `ann-${crypto.randomUUID()}@test.local`;
  await page.getByRole('button', { name: 'Invite a person' }).click();
  await dialog.getByLabel('E-mail').fill(email);
  await dialog.getByLabel('Name (optional)').fill('Ann');
  await dialog.getByLabel('Role').selectOption('viewer');
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = await dialog.getByLabel('Link').inputValue();
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  const table = page.getByRole('table', { name: 'People' });
  await table.getByText('Invited').waitFor();
  const { page: annsPage } = await openConsole(home.url, new URL(link).pathname + new URL(link).search);
  const logInAs = annsPage.getByRole('button', { name: `Log in as ${email}` });
  await logInAs.waitFor();
  await expectAccessible(annsPage);
  await annsPage.getByLabel('Password', { exact: true }).fill('password');
  await logInAs.click();
  await annsPage.getByText('This password is not accepted.').waitFor();
  await annsPage.getByLabel('Password', { exact: true }).fill('turnip lantern gallop 42');
  await logInAs.click();
  await annsPage.getByRole('heading', { name: 'Needs you' }).waitFor();
  const people = (await home.api('GET', '/api/workspace/users')).body;
  expect(people.find((each: { email: string }) => each.email === email)).toMatchObject({ role: 'viewer' });
  await annsPage.getByRole('button', { name: 'Settings' }).click();
  await annsPage.getByRole('link', { name: 'Account' }).waitFor();
  expect(await annsPage.getByRole('link', { name: 'People' }).count()).toBe(0);
  expect(await logIn(home, { email, password: 'turnip lantern gallop 42' })).toMatchObject({
    access_token: expect.any(String),
  });
  const own = page.getByRole('row', { name: new RegExp(owner.email) });
  await own.getByRole('combobox').selectOption('builder');
  await dialog.getByRole('button', { name: 'Builder' }).click();
  await dialog.getByText('A workspace needs an owner. Make someone else an owner first.').waitFor();
  await dialog.getByRole('button', { name: 'Leave as it is' }).click();
  expect(complaints).toEqual([]);
});

inBrowser('a key wants a fresh proof after a login by link, is shown once, rotated and revoked', async () => {
  const { home, owner } = await homeWithOwner();
  const { access_token } = await logIn(home, owner);
  const email = `second-${crypto.randomUUID()}@test.local`;
  const body = { email, name: 'Olga', role: 'owner' };
  const added = await api(home.url, access_token)('POST', '/api/workspace/users', { body });
  const { page, complaints } = await openConsole(
    home.url,
    `/console/verify-token?token=${added.body.invitation.token}`,
  );
  const password = 'turnip lantern gallop 42';
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: `Log in as ${email}` }).click();
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'Create a key' }).click();
  const creation = page.getByRole('dialog', { name: 'Create a key' });
  await creation.getByLabel('Name').fill('Shop');
  await creation.getByLabel('executions:run').check();
  await creation.getByRole('button', { name: 'Create', exact: true }).click();
  const proof = page.getByRole('dialog', { name: 'Is it you?' });
  await proof.getByRole('textbox', { name: 'Your password' }).fill('not it');
  await proof.getByRole('button', { name: 'Go on' }).click();
  await proof.getByText('That is not right. Try again.').waitFor();
  await expectAccessible(page);
  await proof.getByRole('textbox', { name: 'Your password' }).fill(password);
  await proof.getByRole('button', { name: 'Go on' }).click();
  const shown = page.getByRole('dialog', { name: 'The key Shop' });
  const key = await shown.getByLabel('Key', { exact: true }).inputValue();
  await page.keyboard.press('Escape');
  await shown.getByRole('button', { name: 'I have stored it' }).click();
  expect((await api(home.url, key)('GET', '/api/users/me')).body.permissions).toEqual(['executions:run']);
  await page.getByRole('table', { name: 'API keys' }).getByText('executions:run').waitFor();
  expect(await page.content()).not.toContain(key);
  await menuOf(page, 'Shop', 'Rotate');
  await page.getByRole('dialog').getByLabel('Old secret').selectOption({ label: 'Works for one more hour' });
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
  const rotated = await shown.getByLabel('Key', { exact: true }).inputValue();
  expect(rotated).not.toBe(key);
  await shown.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByText('The old secret works until').waitFor();
  await menuOf(page, 'Shop', 'Revoke');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('Shop is revoked.').waitFor();
  expect((await api(home.url, rotated)('GET', '/api/users/me')).status).toBe(401);
  expect(complaints).toEqual([]);
});

const CREATED = 'Create a variable';
const CAME_IN = 'Log in with e-mail and password';

inBrowser('the audit log is narrowed by its address and taken along as CSV', async () => {
  const { home, owner } = await homeWithOwner();
  for (const name of ['A', 'B', 'C']) await home.api('POST', '/api/variables', { body: { name, value: 1 } });
  const queue = await home.api('POST', `/api/queues?projectId=${home.projectId}`, { body: { name: 'Returns' } });
  const { page, complaints } = await openConsole(home.url, '/console/settings/audit?action=createVariable');
  await logInThere(page, owner);
  const table = page.getByRole('table', { name: 'Audit log' });
  await table.getByRole('button', { name: CREATED }).nth(2).waitFor();
  expect(await table.getByRole('button', { name: CAME_IN }).count()).toBe(0);
  await expectAccessible(page);
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = await (await waiting).path();
  const lines = readFileSync(file, 'utf8').trim().split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[1]).toContain('createVariable,variable');
  // Variables have no page of their own, so they have no link.
  await table.getByRole('cell', { name: /^Variable C/ }).waitFor();
  expect(lines[1]).toContain(',C,');
  expect(await table.getByRole('link').count()).toBe(0);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  expect(await table.getByRole('link', { name: 'Returns' }).getAttribute('href')).toBe(
    `/console/queues/${queue.body.id}`,
  );
  await expectAccessible(page);
  await page.getByLabel('Operation').selectOption(CAME_IN);
  await table.getByRole('button', { name: CREATED }).first().waitFor({ state: 'detached' });
  await table.getByRole('button', { name: 'Person' }).first().click();
  await table.getByRole('button', { name: CAME_IN }).first().waitFor();
  const asked = new URL(page.url()).searchParams;
  expect([asked.get('action'), asked.get('resourceType')]).toEqual(['login', 'workspaceUser']);
  await page.getByLabel('Outcome').selectOption('denied');
  await page.getByText('No entry matches.').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  const who = page.getByLabel('Who');
  const { body: keys } = await home.api('GET', '/api/api-keys');
  await who.selectOption({ label: keys[0].name });
  await table.getByRole('button', { name: CREATED }).nth(2).waitFor();
  await table.getByRole('button', { name: CAME_IN }).first().waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('actor')).toBe(keys[0].id);
  // An actor who is no longer in any list.
  const gone = crypto.randomUUID();
  await page.goto(new URL(`/console/settings/audit?actor=${gone}`, home.url).href);
  await page.getByText('No entry matches.').waitFor();
  expect(await who.inputValue()).toBe(gone);
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

inBrowser('a name is changed, a second factor is set up with its backup codes, and other sessions end', async () => {
  const { home, owner, page, complaints, dialog } = await ownerAt('account');
  const other = await logIn(home, owner);
  const you = page.getByRole('region', { name: 'You' });
  const change = you.getByRole('button', { name: 'Change name' });
  expect(await change.isDisabled()).toBe(true);
  await you.getByLabel('Name').fill(' Ann O’Neil ');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Ann O’Neil' }).waitFor();
  expect(await you.getByLabel('Name').inputValue()).toBe('Ann O’Neil');
  await page.getByRole('button', { name: 'Set up an app' }).click();
  await dialog.getByRole('textbox', { name: 'Password' }).fill(owner.password);
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await dialog.getByRole('img', { name: /QR code/ }).waitFor();
  await expectAccessible(page);
  const secret = (await dialog.locator('code').textContent()) ?? '';
  await dialog.getByLabel('Code').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByRole('listitem').nth(9).waitFor();
  const waiting = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  const codes = readFileSync(await (await waiting).path(), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  expect(codes).toHaveLength(10);
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByText('Each login asks for a code from your app.').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'End all others' }).click();
  await dialog.getByRole('button', { name: 'End all others' }).click();
  await page.getByText(/sessions? ha(s|ve) ended\./).waitFor();
  expect((await api(home.url, other.access_token)('GET', '/api/users/me')).status).toBe(401);
  await page.getByRole('button', { name: 'Switch off' }).click();
  await dialog.getByRole('textbox', { name: 'Password' }).fill(owner.password);
  await dialog.getByLabel('Code').fill(codes[0] ?? '');
  await dialog.getByRole('button', { name: 'Switch off' }).click();
  await page.getByText('Your account is protected by your password only.').waitFor();
  expect(complaints).toEqual([]);
});

inBrowser('an invitation to another workspace is accepted, entered, and left', async () => {
  const { owner, page, complaints, dialog } = await ownerAt('account');
  const there = await homeWithOwner();
  const invited = await there.home.api('POST', '/api/workspace/users', {
    body: { email: owner.email, role: 'builder' },
  });
  expect(invited.status).toBe(201);
  await page.reload();
  await page.getByRole('button', { name: /^Accept the invitation to/ }).click();
  await page.getByRole('button', { name: /^Go to/ }).click();
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  await page.goto(new URL('/console/settings/account', there.home.url).href);
  const here = page.getByRole('listitem').filter({ hasText: 'Current workspace' });
  await here.getByText('Builder').waitFor();
  await here.getByRole('button', { name: /^Leave/ }).click();
  await dialog.getByRole('button', { name: 'Leave', exact: true }).click();
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  expect((await there.home.api('GET', '/api/workspace/users')).body).toHaveLength(1);
  expect(complaints).toEqual([]);
});

const PAGES = ['connections', 'variables', 'people', 'keys', 'audit', 'account', 'system'];

inBrowser(
  'settings are accessible in light and dark, wide and narrow',
  async () => {
    const { home, owner } = await homeWithOwner();
    const credentials = { apiKey: 'k-4711-0815', allowedHosts: ['api.shop.example'] };
    await home.api('POST', '/api/workflow-apps/http/connections/apiKey/connect', {
      body: { name: 'Shop', credentials },
    });
    await home.api('POST', '/api/variables', { body: { name: 'LIMITS', value: { orders: 5 } } });
    await home.api('POST', '/api/variables', { body: { name: 'TOKEN', value: 'x-1', isSecret: true } });
    const { page, complaints } = await openConsole(home.url, '/console/settings/account');
    await logInThere(page, owner);
    await page.getByRole('heading', { name: 'Account' }).waitFor();
    for (const path of PAGES) {
      await page.goto(new URL(`/console/settings/${path}`, home.url).href);
      await page.getByRole('table').or(page.getByText('All parts answer.')).first().waitFor();
      await expectAccessibleInAll(page);
    }
    expect(complaints).toEqual([]);
    const dialogs = [
      ['connections', 'Connect an app'],
      ['variables', 'Add a variable'],
      ['people', 'Invite a person'],
      ['keys', 'Create a key'],
    ] as const;
    for (const [path, button] of dialogs) {
      await page.goto(new URL(`/console/settings/${path}`, home.url).href);
      await page.getByRole('button', { name: button }).click();
      await page
        .getByRole('dialog')
        .getByRole('textbox')
        .or(page.getByLabel('App', { exact: true }))
        .first()
        .waitFor();
      await expectAccessibleInAll(page);
    }
    expect(complaints).toEqual([]);
  },
  ALL_VIEWS_MS,
);
