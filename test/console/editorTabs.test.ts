// test: long
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessibleInAll, logInThere, openConsole, watched, withBrowser } from '../setup/browser/consolePage.ts';
import { add, form, node, write } from '../setup/browser/editorPage.ts';
import { gate } from '../setup/jest/gate.ts';
import { poll } from '../setup/jest/poll.ts';
import { action, manual } from '../setup/workspace/graph.ts';
import { type Home, homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

const NEW = '/console/workflows/new';
const draftOf = (page: Page, name: string) => page.getByText(`You have an unsaved draft: “${name}”`);
const goOn = (page: Page) => page.getByRole('button', { name: 'Resume the draft' });
const nameOf = (page: Page) => form(page).getByRole('textbox', { name: 'Name', exact: true });

async function begin(page: Page, name: string): Promise<void> {
  await nameOf(page).fill(name);
  await poll(() => page.evaluate('JSON.stringify(localStorage)')).toContain(name);
}

const expectName = (page: Page, name: string) => poll(() => nameOf(page).inputValue()).toBe(name);

async function offer(page: Page, name: string, button = 'Resume the draft') {
  const id = await draftOf(page, name).getAttribute('id');
  return page.getByRole('button', { name: button }).and(page.locator(`[aria-describedby="${id}"]`));
}

async function twoTabs(home: Home, owner: Parameters<typeof logInThere>[1], path: string) {
  const { page: one, complaints } = await openConsole(home.url, path);
  await logInThere(one, owner);
  await nameOf(one).waitFor();
  const openTab = async () => {
    const page = await one.context().newPage();
    const said = watched(page, home.url);
    await page.goto(new URL(path, home.url).href);
    await nameOf(page).waitFor();
    return { page, said };
  };
  return { one, complaints, openTab };
}

inBrowser('each tab with a new workflow has its own draft; other tabs can take over that of a closed tab', async () => {
  const { home, owner } = await homeWithOwner();
  const { one, complaints, openTab } = await twoTabs(home, owner, NEW);
  await begin(one, 'First');
  const { page: two, said } = await openTab();
  await begin(two, 'Second');
  // A draft in use by another tab is not offered.
  expect(await goOn(two).count()).toBe(0);
  await one.reload();
  await draftOf(one, 'First').waitFor();
  expect(await draftOf(one, 'Second').count()).toBe(0);
  await goOn(one).click();
  await expectName(one, 'First');
  await one.close();
  const crash = two.waitForEvent('crash');
  const session = await two.context().newCDPSession(two);
  void session.send('Page.crash').catch(() => undefined);
  await crash;

  const { page: three, said: saidThree } = await openTab();
  const { page: four, said: saidFour } = await openTab();
  for (const page of [three, four]) for (const name of ['First', 'Second']) await draftOf(page, name).waitFor();
  await expectAccessibleInAll(three);
  const button = await offer(three, 'First');
  await button.click();
  await expectName(three, 'First');
  expect(await goOn(three).count()).toBe(0);
  await draftOf(four, 'First').waitFor({ state: 'detached' });
  await begin(four, 'Third');
  await goOn(four).click();
  await expectName(four, 'Second');
  await four.close();
  // Text written before taking over another draft is not lost.
  const { page: five } = await openTab();
  for (const name of ['Second', 'Third']) await draftOf(five, name).waitFor();
  await three.getByRole('button', { name: 'Publish', exact: true }).click();
  await three.getByText('Published as version 1.').waitFor();
  await five.reload();
  for (const name of ['Second', 'Third']) await draftOf(five, name).waitFor();
  await (await offer(five, 'Third', 'Discard the draft')).click();
  await draftOf(five, 'Third').waitFor({ state: 'detached' });
  await five.reload();
  await draftOf(five, 'Second').waitFor();
  expect(await goOn(five).count()).toBe(1);
  expect([complaints, said, saidThree, saidFour].flat()).toEqual([]);
});

const zoomOf = (page: Page) =>
  page.evaluate<string>("getComputedStyle(document.querySelector('.react-flow__viewport')).transform");
const undo = (page: Page) => page.getByRole('button', { name: 'Undo' });

inBrowser(
  'the first save of a new workflow leaves the editor as it was, and its draft is of that workflow',
  async () => {
    const { home, owner } = await homeWithOwner();
    const { page, complaints } = await openConsole(home.url, NEW);
    await logInThere(page, owner);
    await begin(page, 'Greet');
    await add(page, 'Transform', 'Hello');
    await write(page, 'Value', 'Good morning');
    await page.getByRole('button', { name: 'Zoom Out' }).click();
    await page.getByRole('button', { name: 'Zoom Out' }).click();
    await nameOf(page).focus();
    const zoom = await zoomOf(page);
    const held = gate();
    const asked = gate();
    await page.route('**/workflows/drafts', async (route) => {
      asked.goOn();
      await held.after;
      await route.continue();
    });
    await page.keyboard.press('ControlOrMeta+s');
    await asked.after;
    await page.keyboard.press('End');
    await page.keyboard.insertText(', Ada');
    held.goOn();
    await page.getByText('Draft saved.').waitFor();
    await page.waitForURL(/workflows\/[0-9a-f-]{36}\/edit\?node=hello$/);
    await page.getByRole('heading', { name: 'Edit Greet' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-2) ?? '';
    await nameOf(page).and(page.locator(':focus')).waitFor();
    await expectName(page, 'Hello, Ada');
    expect(await zoomOf(page)).toBe(zoom);
    await page.getByText('1 change').waitFor();
    // The draft now belongs to the stored workflow, so a new workflow finds none.
    const keys = () =>
      page.evaluate<string[]>("Object.keys(localStorage).filter((key) => key.startsWith('perdure.draft.'))");
    await poll(keys).toEqual([expect.stringContaining(`.${id}.`)]);
    await undo(page).click();
    await expectName(page, 'Hello');
    await poll(keys).toEqual([]);
    // Undo goes back to the start, but keeps the stored slug.
    while (await undo(page).isEnabled()) await undo(page).click();
    await page.getByRole('main').getByRole('button', { name: 'Settings', exact: true }).click();
    await expectName(page, '');
    expect(await form(page).getByRole('textbox', { name: 'Slug' }).inputValue()).toBe('greet');
    await nameOf(page).fill('Greet you');
    await poll(keys).toEqual([expect.stringContaining(`.${id}.`)]);
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay here' }).click();
    await page.reload();
    await draftOf(page, 'Greet you').waitFor();
    await goOn(page).click();
    await page.getByText('2 changes').waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published as version 1.').waitFor();
    const { body } = await home.api('GET', '/api/workflows?expansion=slug,name');
    expect(body).toMatchObject([{ id, slug: 'greet', name: 'Greet you' }]);
    await page.goto(new URL(NEW, home.url).href);
    await expectName(page, '');
    expect(await goOn(page).count()).toBe(0);
    expect(complaints).toEqual([]);
  },
);

inBrowser('a save in one tab makes the other one ask, and no change of either is lost', async () => {
  const { home, owner } = await homeWithOwner();
  const id = await home.deploy({
    ...{ slug: 'greet', name: 'Greet', managedByCode: false, trigger: manual() },
    nodes: [action('hello', 'core.transform', { value: 'Hello' }, { name: 'Hello' })],
  });
  const { one, complaints, openTab } = await twoTabs(home, owner, `/console/workflows/${id}/edit`);
  const { page: two, said } = await openTab();
  await node(one, 'Hello').click();
  await write(one, 'Value', 'Good morning');
  await node(two, 'Hello').click();
  await write(two, 'Value', 'Good evening');
  await poll(() => two.evaluate('JSON.stringify(localStorage)')).toContain('Good evening');
  await one.getByRole('button', { name: 'Publish', exact: true }).click();
  await one.getByText('Published as version 2.').waitFor();
  await two.keyboard.press('ControlOrMeta+s');
  const dialog = two.getByRole('dialog');
  await dialog.getByText('The saved draft or version is newer than the one you started from.').waitFor();
  await dialog.getByText('Changes since version 2: 1 change').click();
  await dialog.getByText('nodes.hello.inputs.value changed').waitFor();
  await dialog.getByText('− Good morning').waitFor();
  await dialog.getByText('+ Good evening').waitFor();
  await expectAccessibleInAll(two);
  // After a crash, the draft is still based on the earlier version.
  await two.reload();
  await two.getByText('Someone has saved the workflow since.').waitFor();
  await goOn(two).click();
  await node(two, 'Hello').click();
  await form(two).getByText('Good evening').waitFor();
  await two.getByRole('button', { name: 'Publish', exact: true }).click();
  await dialog.getByRole('button', { name: 'Overwrite with mine' }).click();
  await two.getByText('Published as version 3.').waitFor();
  // The name belongs to the workflow, so changing it makes no new version.
  await two.getByRole('main').getByRole('button', { name: 'Settings', exact: true }).click();
  await nameOf(two).fill('Greet you');
  await two.getByRole('button', { name: 'Publish', exact: true }).click();
  await two.getByText('Published. The definition is still version 3.').waitFor();
  const { body } = await home.api('GET', `/api/workflows/${id}/versions`);
  expect(body).toHaveLength(3);
  expect([complaints, said].flat()).toEqual([]);
});
