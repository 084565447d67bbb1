// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { form } from '../setup/browser/editorPage.ts';
import { poll } from '../setup/jest/poll.ts';
import { question, webhook } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

// A name of the house's own network: browsers give its pages no locks, no clipboard and no random ids.
const HOST = 'perdure.internal';
withBrowser(`--host-resolver-rules=MAP ${HOST} 127.0.0.1`);

inBrowser('the console works where it is served by plain http', async () => {
  const { home, owner } = await homeWithOwner();
  const fields = [{ key: 'yes', label: 'Yes', type: 'boolean', required: false }];
  const workflowId = await home.deploy({ name: 'Ask', nodes: [question('ask', { fields, submitters: 'members' })] });
  const address = new URL(home.url);
  address.hostname = HOST;
  const { page, complaints } = await openConsole(address.href, `/console/workflows/${workflowId}`);
  expect(await page.evaluate('window.isSecureContext')).toBe(false);
  await logInThere(page, owner);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('heading', { name: '#1 Ask' }).waitFor();
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByRole('status').getByText('Completed').waitFor();
  await page.goto(new URL('/console/executions', address).href);
  await page.getByRole('link', { name: '#1' }).waitFor();
  await home.execute(workflowId);
  await page.getByRole('button', { name: 'Show 1 new execution' }).waitFor();
  const hook = await home.deploy({ name: 'Hook', trigger: webhook(), nodes: [] });
  await page.goto(new URL(`/console/workflows/${hook}?tab=triggers`, address).href);
  await page.getByRole('button', { name: 'Copy the address' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  await page.goto(new URL('/console/workflows/new', address).href);
  await form(page).getByLabel('Name').fill('Half done');
  await poll(() => page.evaluate('JSON.stringify(localStorage)')).toContain('Half done');
  await page.reload();
  await page.getByRole('button', { name: 'Go on with the draft' }).click();
  await poll(() => form(page).getByLabel('Name').inputValue()).toBe('Half done');
  // The browser says so of each page: the header is for those that come by https.
  expect(complaints.filter((text) => !text.includes('Cross-Origin-Opener-Policy'))).toEqual([]);
});
