// test: long
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { brokenNetwork } from '../setup/api/brokenNetwork.ts';
import { inBrowser } from '../setup/browser/chromium.ts';
import { logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { question } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

const MAX_KB = 270;

inBrowser(
  'an API that goes away leaves the page as it was, with a banner, and comes back without a reload',
  async () => {
    const { home, owner } = await homeWithOwner();
    const fields = [{ key: 'yes', label: 'Yes', type: 'boolean', required: false }];
    const workflowId = await home.deploy({ nodes: [question('ask', { fields, submitters: 'members' })] });
    const executionId = await home.execute(workflowId);
    await home.asked(executionId, 'ask');
    const network = await brokenNetwork(home.url);
    const { page } = await openConsole(network.url, '/console/executions');
    await logInThere(page, owner);
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: '#1' }) });
    await row.getByText('Needs input').waitFor();
    network.breakDown();
    network.cut();
    await page.getByText('The API does not answer').waitFor();
    await row.getByText('Needs input').waitFor();
    await home.submit(executionId, 'ask', {}, undefined, await home.person());
    await home.ended(executionId);
    await page.evaluate('window.sameDocument = true');
    network.mend();
    // The pauses between tries have grown to ten seconds.
    await row.getByText('Completed').waitFor({ timeout: 60_000 });
    await page.getByText('The API does not answer').waitFor({ state: 'detached' });
    expect(await page.evaluate('window.sameDocument')).toBe(true);
  },
);

inBrowser('new executions wait until they are asked for, and those that are shown change in place', async () => {
  const { home, owner } = await homeWithOwner();
  const workflowId = await home.deploy({ nodes: [] });
  await home.ended(await home.execute(workflowId));
  const { page, complaints } = await openConsole(home.url, '/console/executions');
  await logInThere(page, owner);
  const links = page.getByRole('table', { name: 'Executions' }).getByRole('link');
  await links.first().waitFor();
  for (let at = 0; at < 2; at += 1) await home.ended(await home.execute(workflowId));
  await page.getByRole('button', { name: 'Show 2 new executions' }).waitFor();
  expect(await links.allTextContents()).toEqual(['#1']);
  await page.getByRole('button', { name: 'Show 2 new executions' }).click();
  await links.nth(2).waitFor();
  expect(await links.allTextContents()).toEqual(['#3', '#2', '#1']);
  expect(complaints).toEqual([]);
});

inBrowser('twelve tabs are live by one stream, which another takes over when its tab is closed', async () => {
  const { home, owner } = await homeWithOwner();
  const workflowId = await home.deploy({ nodes: [] });
  await home.ended(await home.execute(workflowId));
  const { page } = await openConsole(home.url, '/console/executions');
  await logInThere(page, owner);
  const others = [];
  for (let at = 1; at < 12; at += 1) others.push(await page.context().newPage());
  let streams = 0;
  for (const other of others) {
    other.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/stream') streams += 1;
    });
    await other.goto(page.url());
    await other.getByRole('link', { name: '#1' }).waitFor();
  }
  await home.ended(await home.execute(workflowId));
  const fresh = (count: number) => `Show ${count} new execution${count === 1 ? '' : 's'}`;
  await Promise.all([page, ...others].map((each) => each.getByRole('button', { name: fresh(1) }).waitFor()));
  expect(streams).toBe(0);
  await page.close();
  await home.ended(await home.execute(workflowId));
  await Promise.all(others.map((each) => each.getByRole('button', { name: fresh(2) }).waitFor()));
  expect(streams).toBe(1);
});

inBrowser(`the first page weighs at most ${MAX_KB} kB`, async () => {
  const { home, owner } = await homeWithOwner();
  const asked = new Set<string>();
  const { page } = await openConsole(home.url, '/console/login', {
    onRequest: (url) => asked.add(new URL(url).pathname),
  });
  await logInThere(page, owner);
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  const files = [...asked].filter((path) => path.startsWith('/console/assets/'));
  const sizes = files.map((path) => {
    const file = join(PROJECT_ROOT, 'dist', path);
    try {
      return readFileSync(`${file}.gz`).length;
    } catch {
      return readFileSync(file).length;
    }
  });
  expect(sizes.length).toBeGreaterThan(3);
  expect(sizes.reduce((sum, size) => sum + size, 0) / 1_000).toBeLessThan(MAX_KB);
});
