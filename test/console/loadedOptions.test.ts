// test: long
import type { ServerResponse } from 'node:http';
import { beforeEach, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { JsonObject } from '../../domain/json.ts';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { form, problems, write } from '../setup/browser/editorPage.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback, type SeenCall } from '../setup/providers/loopback.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { action, manual } from '../setup/workspace/graph.ts';

withBrowser();

const PER_PAGE = 100;
const REPOSITORIES: Record<string, string[]> = {
  acme: ['shop', ...Array.from({ length: 119 }, (_, at) => `tool-${at + 1}`)],
  other: ['elsewhere'],
};
/** The message with which GitHub's search refuses; undefined while it answers. */
let refusal: string | undefined;

const says = (response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}) =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** The search of a GitHub Enterprise Server, and Slack's list of channels. */
const service = await loopback(({ url, body }: SeenCall, response) => {
  const { pathname, searchParams } = new URL(url, 'http://service');
  if (pathname.endsWith('/search/repositories')) {
    if (refusal !== undefined) return says(response, { message: refusal }, 403);
    const q = searchParams.get('q') ?? '';
    const page = Number(searchParams.get('page'));
    const all = REPOSITORIES[/user:(\S+)/.exec(q)?.[1] ?? ''] ?? [];
    const word = / in:name /.test(q) ? q.slice(0, q.indexOf(' in:name ')) : '';
    const found = all.filter((name) => name.includes(word));
    const items = found.slice((page - 1) * PER_PAGE, page * PER_PAGE).map((name) => ({ name }));
    const link: Record<string, string> = found.length > page * PER_PAGE ? { link: '<x>; rel="next"' } : {};
    return says(response, { total_count: found.length, items }, 200, link);
  }
  if (pathname.endsWith('/conversations.list')) {
    expect(new URLSearchParams(body).get('exclude_archived')).toBe('true');
    const channels = [
      { id: 'C1', name: 'general' },
      { id: 'C2', name: 'orders', is_private: true },
    ];
    return says(response, { ok: true, channels });
  }
  return says(response, { ok: true });
}, 'file');

const { stack, home } = await ownHome({ environment: { GITHUB_URL: service.url, SLACK_URL: service.url } });

const owner = { email: stack.credentials.email, password: stack.credentials.password ?? '' };

async function connect(path: string, name: string, credentials: object): Promise<string> {
  const { status, body } = await home.api('POST', `/api/workflow-apps/${path}/connect`, {
    body: { name, credentials },
  });
  expect(status).toBe(200);
  return body.id;
}

/** Each test makes its own connections. */
beforeEach(async () => {
  refusal = undefined;
  const { body } = await home.api('GET', '/api/connections');
  for (const { id } of body) await home.api('DELETE', `/api/connections/${id}`);
});

const deploy = (name: string, appAction: string, inputs: JsonObject) =>
  home.deploy({
    ...{ name, managedByCode: false, trigger: manual({ key: 'owner', label: 'Owner', type: 'text' }) },
    nodes: [action('act', appAction, inputs, { name: 'Act' })],
  });

const inputsOf = async (id: string) =>
  (await home.api('GET', `/api/workflows/${id}?expansion=nodes`)).body.nodes[0].inputs;

const combobox = (page: Page, name: string) => form(page).getByRole('combobox', { name });

async function publish(page: Page, version: number): Promise<void> {
  await problems(page).getByText('No problems.').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText(`Published as version ${version}.`).waitFor();
}

inBrowser.each([
  ['light', 1280],
  ['dark', 390],
] as const)(
  'repositories load after their owner: searched, page by page, and typed if the list fails: %s, %i wide',
  async (scheme, width) => {
    const id = await deploy('Issues', 'github.createIssue', { title: 'Empty', repo: 'gone', owner: 'acme' });
    const { page, complaints } = await openConsole(stack.url, `/console/workflows/${id}/edit?node=act`, {
      scheme,
      width,
    });
    await logInThere(page, owner);
    const repo = combobox(page, 'Repository');
    await form(page).getByText('Connect GitHub to load the options.').waitFor();
    expect(await repo.isDisabled()).toBe(true);
    await expectAccessible(page);
    await connect('github/connections/token', 'GitHub', { apiKey: 'ghp_x' });
    await page.reload();

    // A value that is no option stays.
    await poll(() => repo.inputValue()).toBe('gone');
    await write(page, 'Owner', '-');
    await page.keyboard.press('Backspace');
    await form(page).getByText('Choose owner first.').waitFor();
    expect([await repo.isDisabled(), await repo.inputValue()]).toEqual([true, 'gone']);
    await write(page, 'Owner', 'acme');
    await poll(() => repo.isEnabled()).toBe(true);
    await repo.click();
    await page.getByRole('option', { name: 'tool-99', exact: true }).waitFor();
    await expectAccessible(page);
    const options = page.getByRole('listbox', { name: 'Repository' }).getByRole('option');
    expect(await options.count()).toBe(101);
    await page.getByRole('option', { name: 'Load more' }).click();
    await page.getByRole('option', { name: 'tool-119', exact: true }).waitFor();
    expect(await options.count()).toBe(120);

    // The service searches.
    await repo.fill('tool-11');
    await poll(() => options.count()).toBe(11);
    await repo.press('ArrowDown');
    await repo.press('Enter');
    expect(await repo.inputValue()).toBe('tool-11');

    // Another owner has other repositories.
    await write(page, 'Owner', 'other');
    await repo.click();
    await page.getByRole('option', { name: 'elsewhere' }).waitFor();
    expect(await options.count()).toBe(1);
    await repo.press('Escape');
    await repo.fill('nowhere');
    await page.getByRole('option', { name: 'Use “nowhere”' }).waitFor();
    await page.getByText('No option matches.').waitFor();
    await expectAccessible(page);
    await page.getByRole('option', { name: 'Use “nowhere”' }).click();
    expect(await repo.inputValue()).toBe('nowhere');

    refusal = 'SAML enforcement';
    await write(page, 'Owner', 'third');
    await repo.click();
    const alert = form(page).getByRole('alert').filter({ hasText: 'SAML enforcement' });
    await alert.waitFor();
    await expectAccessible(page);
    await repo.press('Escape');
    refusal = undefined;
    await write(page, 'Owner', 'acme');
    await alert.waitFor({ state: 'detached' });
    refusal = 'SAML enforcement';
    await repo.fill('shop');
    await alert.waitFor();
    refusal = undefined;
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('option', { name: 'shop', exact: true }).click();
    await alert.waitFor({ state: 'detached' });
    await publish(page, 2);
    expect(await inputsOf(id)).toEqual({ title: 'Empty', owner: 'acme', repo: 'shop' });
    expect(complaints).toEqual([]);
  },
);

inBrowser('options follow an expression once its value is known, and may be an expression themselves', async () => {
  await connect('github/connections/token', 'GitHub', { apiKey: 'ghp_x' });
  const id = await deploy('Expressions', 'github.createIssue', {
    title: 'Empty',
    repo: 'x',
    owner: '{{ trigger.owner }}',
  });
  const { page, complaints } = await openConsole(stack.url, `/console/workflows/${id}/edit?node=act`);
  await logInThere(page, owner);
  const repo = combobox(page, 'Repository');
  await form(page)
    .getByText(/depends on owner, whose value is not known yet/)
    .waitFor();
  expect(await repo.isDisabled()).toBe(true);
  await home.finished(await home.execute(id, { owner: 'acme' }));
  await page.reload();
  await repo.click();
  await page.getByRole('option', { name: 'shop', exact: true }).click();
  expect(await repo.inputValue()).toBe('shop');
  await form(page)
    .locator('.editor-beside', { has: page.getByRole('combobox', { name: 'Repository' }) })
    .getByRole('button', { name: 'Write an expression…' })
    .click();
  await write(page, 'Repository', '{{ trigger.owner + "-shop" }}');
  await form(page).getByRole('status', { name: 'Preview: Repository' }).getByText('= "acme-shop"').waitFor();
  await publish(page, 2);
  expect((await inputsOf(id)).repo).toBe('{{ trigger.owner + "-shop" }}');
  expect(complaints).toEqual([]);
});

inBrowser(
  'a channel shows its name next to its ID; the connection is chosen first, and viewers load nothing',
  async () => {
    const id = await deploy('Messages', 'slack.postMessage', { text: 'Hello', channel: 'C9' });
    const first = await connect('slack/connections/botToken', 'Shop', { botToken: 'xoxb-1' });
    const second = await connect('slack/connections/botToken', 'Support', { botToken: 'xoxb-2' });
    for (const one of [first, second]) {
      await home.api('PATCH', `/api/connections/${one}`, { body: { isDefault: false } });
    }
    const { page, complaints } = await openConsole(stack.url, `/console/workflows/${id}/edit?node=act`);
    await logInThere(page, owner);
    const channel = combobox(page, 'Channel');
    await form(page).getByText('Choose a connection first.').waitFor();
    expect(await channel.isDisabled()).toBe(true);
    await form(page).getByLabel('Connection', { exact: true }).selectOption({ label: 'Support' });
    await poll(() => channel.isEnabled()).toBe(true);
    await channel.click();
    await page.getByRole('option', { name: '#orders (private)' }).click();
    expect(await channel.inputValue()).toBe('#orders (private)');
    await publish(page, 2);
    expect((await inputsOf(id)).channel).toBe('C2');
    await page.reload();
    await poll(() => channel.inputValue()).toBe('#orders (private)');
    await form(page).getByText('C2', { exact: true }).waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  },
);
