// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessibleInAll, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { action, question } from '../setup/workspace/graph.ts';
import { type Home, homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

const fields = [{ key: 'approved', label: 'Approved', type: 'boolean', required: true }];

/** The link of a question that is open for so long; `goesOn`: by a way for nobody who answers. */
async function linkOf(home: Home, expiresInMs: number, goesOn = false) {
  const ask = question('ask', { title: 'May it go?', fields, expiresInMs }, { name: 'Release' });
  const late = action('late', 'core.set', { values: { answered: false } });
  const executionId = await home.execute(
    await home.deploy({
      name: 'Shipping',
      nodes: goesOn ? [ask, late] : [ask],
      edges: goesOn ? [{ id: 'e', source: 'ask', target: 'late', sourceHandle: 'expired' }] : [],
    }),
  );
  const { pendingInput } = await home.asked(executionId, 'ask');
  return { executionId, link: `/console/inbox?question=${executionId}/${pendingInput[0].stepId}` };
}

inBrowser('the link of a question whose time is over says so, names it, and leads to what became of it', async () => {
  const { home, owner } = await homeWithOwner();
  const open = await linkOf(home, 60_000);
  const [failed, gone] = [await linkOf(home, 500), await linkOf(home, 500, true)];
  for (const { executionId } of [failed, gone]) await home.ended(executionId);
  const { page, complaints } = await openConsole(home.url, open.link);
  await logInThere(page, owner);
  await page.getByText(/^Expires \d+:\d\d$/).waitFor();
  for (const { executionId, link } of [failed, gone]) {
    await page.goto(new URL(link, home.url).href);
    const said = page.getByRole('alert');
    await said.getByText('This question is closed: nobody answered it in time.').waitFor();
    await said.getByText('Release').waitFor();
    expect(await said.getByRole('link').getAttribute('href')).toBe(`/console/executions/${executionId}`);
  }
  await expectAccessibleInAll(page);
  expect(complaints).toEqual([]);
});

inBrowser('a form whose time is over while somebody writes says that it is', async () => {
  const { home, owner } = await homeWithOwner();
  const { page } = await openConsole(home.url, '/console/login');
  await logInThere(page, owner);
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  const { link, executionId } = await linkOf(home, 4_000);
  await page.goto(new URL(link, home.url).href);
  await page.getByRole('heading', { name: 'May it go?' }).waitFor();
  await home.ended(executionId);
  const form = page.getByRole('region', { name: 'May it go?' });
  await form.getByText('nobody answered it in time').waitFor();
  await form.getByText('Expired', { exact: true }).waitFor();
});

inBrowser('the link of a question of another workspace is not said to be closed', async () => {
  const { home } = await homeWithOwner();
  const { link } = await linkOf(home, 60_000);
  const other = await homeWithOwner();
  const { page, complaints } = await openConsole(home.url, link);
  await logInThere(page, other.owner);
  await page
    .getByText(/^There is no such question in .*It may be one of another workspace, or was deleted\.$/)
    .waitFor();
  expect(await page.getByText('This question is closed').count()).toBe(0);
  expect(complaints).toEqual([]);
});
