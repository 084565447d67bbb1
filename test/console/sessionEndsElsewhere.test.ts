// test: long
import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { createWorkspace } from '../../api/access/createWorkspace.ts';
import { createDatabase } from '../../prisma/client.ts';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  ALL_VIEWS_MS,
  expectAccessible,
  logInThere,
  openConsole,
  watched,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { again, endSessions } from '../setup/browser/sessionEnd.ts';
import { stackWithProvider } from '../setup/stack/providerStack.ts';
import { homeOf, homeOn } from '../setup/workspace/home.ts';
import { joinAs } from '../setup/workspace/people.ts';

withBrowser();

inBrowser(
  'single sign-on in another tab brings a person back to the page and its workspace, though not joined first',
  async () => {
    const { provider, stack, owner } = await stackWithProvider();
    const first = homeOn(stack);
    const database = createDatabase(stack.databaseUrl, 2);
    const someone = { name: 'Second', email: 'second@test.local', password: 'a long password' };
    const made = await createWorkspace(database, someone).finally(() => database.close());
    const second = homeOf({ ...someone, ...made, url: () => stack.url });
    await joinAs(second, owner, 'builder');
    const { page, complaints } = await openConsole(stack.url, '/console/');
    await logInThere(page, owner);
    await page.getByRole('button', { name: /account and appearance/ }).click();
    await page.getByRole('menuitem', { name: 'Second' }).click();
    await page.getByRole('banner').getByText('Second').waitFor();
    await page.getByRole('link', { name: 'Queues' }).click();
    await page.getByRole('button', { name: 'New queue' }).click();
    await page.getByRole('dialog', { name: 'New queue' }).getByLabel('Name').fill('Invoices');
    await page.evaluate('window.sameDocument = true');
    await endSessions(first, owner);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const goneToProvider = async () => {
      const opened = page.context().waitForEvent('page');
      await again(page).getByRole('link', { name: 'Acme' }).click();
      return opened;
    };
    provider.person = { sub: randomUUID(), email: 'ann@elsewhere.example', email_verified: true };
    const refused = await goneToProvider();
    await refused.getByText('cannot log in here with this provider').waitFor();
    await expectAccessible(refused);
    await refused.close();
    // Without its cookies, the provider does not recognise the last user.
    await page.context().clearCookies();
    provider.person = { sub: randomUUID(), email: owner.email, email_verified: true };
    const other = await goneToProvider();
    const complaintsThere = watched(other, stack.url);
    await page.getByRole('heading', { name: 'Invoices' }).waitFor();
    expect(await page.evaluate('window.sameDocument')).toBe(true);
    await other.getByRole('banner').getByText('Second').waitFor();
    expect((await second.api('GET', '/api/queues')).body).toHaveLength(1);
    expect((await first.api('GET', '/api/queues')).body).toHaveLength(0);
    expect([...complaints, ...complaintsThere]).toEqual([]);
  },
  ALL_VIEWS_MS,
);
