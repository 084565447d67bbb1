// test: long
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { agentHomeOn, tool } from '../setup/workspace/agentHome.ts';
import { question } from '../setup/workspace/graph.ts';
import { type Home, homeWithOwner } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

interface Seen {
  title: string;
  body: string;
  isClosed: boolean;
}

/** Records notifications and permission requests of the page, and passes them on to the browser. */
const OBSERVE = `
  globalThis.observed = { notices: [], closed: new Set(), asked: 0, leave: 'default', isHidden: false, waiting: [] };
  observed.check = () => {
    for (const { count, resolve } of observed.waiting) if (observed.notices.length >= count) resolve();
  };
  observed.until = (count) =>
    new Promise((resolve) => { observed.waiting.push({ count, resolve }); observed.check(); });
  globalThis.Notification = new Proxy(Notification, {
    construct(target, [title, options]) {
      const notice = new target(title, options);
      const close = notice.close.bind(notice);
      notice.close = () => { observed.closed.add(notice); close(); };
      observed.notices.push(notice);
      observed.check();
      return notice;
    },
    get(target, name) {
      // A headless browser grants what was granted, and then says 'denied' here all the same.
      if (name === 'permission') return observed.leave;
      if (name !== 'requestPermission') return Reflect.get(target, name);
      return async () => {
        observed.asked += 1;
        observed.leave = await target.requestPermission();
        return observed.leave;
      };
    },
  });
  // A headless browser takes every tab for visible.
  Object.defineProperty(document, 'visibilityState', { get: () => (observed.isHidden ? 'hidden' : 'visible') });
`;

const seen = (page: Page): Promise<Seen[]> =>
  page.evaluate(
    'observed.notices.map((each) => ({ title: each.title, body: each.body, isClosed: observed.closed.has(each) }))',
  );

const untilSeen = (page: Page, count: number) => page.evaluate(`observed.until(${count})`);

const hide = (page: Page) =>
  page.evaluate("observed.isHidden = true; document.dispatchEvent(new Event('visibilitychange'))");

const fields = [{ key: 'yes', label: 'Yes', type: 'boolean', required: true }];

async function ask(home: Home, title: string, submitters: string | string[] = 'members'): Promise<string> {
  const nodes = [question('ask', { title, fields, submitters })];
  const executionId = await home.execute(await home.deploy({ name: title, nodes }));
  await home.asked(executionId, 'ask');
  return executionId;
}

inBrowser('a question for the person calls them while the tab is out of sight, once, and leads to itself', async () => {
  const { home, owner } = await homeWithOwner();
  const { page, complaints } = await openConsole(home.url, '/console/login');
  await page.context().grantPermissions(['notifications']);
  await page.addInitScript(OBSERVE);
  await page.goto(new URL('/console/settings/account', home.url).href);
  await logInThere(page, owner);
  await page.getByText('Notifications are off.').waitFor();
  expect(await page.evaluate('observed.asked')).toBe(0);
  await page.getByRole('button', { name: 'Turn on notifications' }).click();
  await page.getByText('Notifications are on in this browser.').waitFor();
  await expectAccessible(page);
  expect(await seen(page)).toEqual([expect.objectContaining({ body: 'This is how Perdure calls you.' })]);

  // A visible page shows only the inbox number. A question for somebody else shows nothing.
  await ask(home, 'Seen?');
  const inbox = page.getByRole('link', { name: /^Inbox/ });
  await inbox.getByText('1', { exact: true }).waitFor();
  await hide(page);
  await ask(home, 'Not yours', ['somebody@example.com']);
  const executionId = await ask(home, 'Pay Ada?');
  await untilSeen(page, 2);
  await inbox.getByText('2', { exact: true }).waitFor();
  expect((await seen(page)).slice(1)).toEqual([
    { title: 'Pay Ada?', body: expect.stringMatching(/^Pay Ada\? #\d+ waits for your answer\.$/), isClosed: false },
  ]);
  await page.evaluate("observed.notices[1].dispatchEvent(new Event('click'))");
  await page.getByRole('heading', { name: 'Pay Ada?' }).waitFor();
  expect(new URL(page.url()).searchParams.get('question')).toContain(executionId);

  await ask(home, 'Pay Bob?');
  await untilSeen(page, 3);
  await page.getByRole('button', { name: /account and appearance/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  // The notification is closed, and the next user has notifications off.
  expect((await seen(page)).at(-1)).toMatchObject({ title: 'Pay Bob?', isClosed: true });
  await page.goto(new URL('/console/settings/account', home.url).href);
  await logInThere(page, owner);
  await page.getByText('Notifications are off.').waitFor();
  expect(complaints).toEqual([]);
});

inBrowser(
  'of two tabs one calls them: for an approval and the end of their turn, once neither is in sight',
  async () => {
    const { home: plain, owner } = await homeWithOwner();
    const tools = [tool('testing', 'succeed', { policy: 'approve' })];
    const home = await agentHomeOn(plain, stackDatabase(), { tools });
    const { page, complaints } = await openConsole(home.url, '/console/login');
    await page.context().grantPermissions(['notifications']);
    await page.context().addInitScript(OBSERVE);
    await page.goto(new URL('/console/settings/account', home.url).href);
    await logInThere(page, owner);
    await page.getByRole('button', { name: 'Turn on notifications' }).click();
    await page.getByText('Notifications are on in this browser.').waitFor();
    const second = await page.context().newPage();
    await second.goto(new URL(`/console/agents/${home.agentId}`, home.url).href);
    await second.getByRole('textbox', { name: 'Message' }).waitFor();
    await hide(page);
    await ask(plain, 'Seen there?');
    await second
      .getByRole('link', { name: /^Inbox/ })
      .getByText('1', { exact: true })
      .waitFor();
    await page
      .getByRole('link', { name: /^Inbox/ })
      .getByText('1', { exact: true })
      .waitFor();
    await hide(second);
    home.provider.answer(
      callTools({ id: 'call', name: 'testing_succeed', arguments: { output: 7 } }),
      say('It is done.'),
    );
    await second.getByRole('textbox', { name: 'Message' }).fill('Do it');
    await second.getByRole('button', { name: 'Send', exact: true }).click();
    await untilSeen(page, 2);
    await second.getByRole('button', { name: 'Approve' }).click();
    await untilSeen(page, 3);
    const titles = (await seen(page)).slice(1).map(({ title }) => title);
    expect(titles).toEqual(['Agent asks before it acts', 'Agent has answered']);
    expect(await seen(second)).toEqual([]);
    await page.evaluate("observed.notices[2].dispatchEvent(new Event('click'))");
    await page.waitForURL(/\/tasks\//);
    expect(complaints).toEqual([]);
  },
);
