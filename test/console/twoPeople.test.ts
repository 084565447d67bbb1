// test: long
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  ALL_VIEWS_MS,
  expectAccessibleInAll,
  logInThere,
  openConsole,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { again } from '../setup/browser/sessionEnd.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { confirmed, newMember } from '../setup/workspace/people.ts';

withBrowser();

const at = (home: { url: string }, path: string) => new URL(`/console${path}`, home.url).href;

inBrowser(
  'concurrent changes of one entity keep both, and ask if the attribute is the same',
  async () => {
    const { home, owner } = await homeWithOwner();
    const properties = {
      email: { type: 'string', title: 'E-mail address' },
      phone: { type: 'string', title: 'Phone' },
    };
    const type = { slug: 'customer', name: 'Customer', attributeSchema: { type: 'object', properties } };
    await home.api('POST', '/api/object-types/upsert', { body: type });
    const attributes = { email: 'ada@example.test', phone: '1' };
    const { body: made } = await home.api('POST', '/api/objects', {
      body: { objectTypeSlug: 'customer', name: 'Ada', attributes },
    });
    const path = `/api/objects/${made.id}`;
    const stored = async () => (await home.api('GET', `${path}?expansion=name,attributes`)).body;
    const other = (body: object) => home.api('PATCH', path, { body });
    const { page, complaints } = await openConsole(home.url, `/console/objects/customer/${made.id}`);
    await logInThere(page, owner);
    const edit = async () => {
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      return page.getByRole('dialog', { name: /^Change/ });
    };
    let dialog = await edit();
    await dialog.getByLabel('Phone').fill('2');
    await other({ name: 'Ada L.', attributes: { email: 'ada@elsewhere.test' } });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject({ name: 'Ada L.', attributes: { email: 'ada@elsewhere.test', phone: '2' } });

    // Both changed the same attribute: nothing is stored before the user has seen the current value.
    await page.getByText('ada@elsewhere.test').first().waitFor();
    dialog = await edit();
    await dialog.getByLabel('Phone').fill('3');
    await other({ attributes: { phone: '4' } });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Phone is now 4.').waitFor();
    expect(await stored()).toMatchObject({ attributes: { phone: '4' } });
    await expectAccessibleInAll(page);
    await other({ attributes: { phone: '5' } });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Phone is now 5.').waitFor();
    expect(await dialog.getByLabel('Phone').inputValue()).toBe('3');
    await dialog.getByRole('button', { name: 'Load the latest version' }).click();
    await dialog.getByText('Phone is now 5.').waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Phone').inputValue()).toBe('5');
    await dialog.getByLabel('Phone').fill('6');
    await other({ attributes: { phone: '7' } });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Phone is now 7.').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject({ attributes: { email: 'ada@elsewhere.test', phone: '6' } });
    expect(complaints).toEqual([]);
  },
  ALL_VIEWS_MS,
);

inBrowser('an item that somebody else ends is locked at once for who holds it, and what they typed stays', async () => {
  const { home, owner } = await homeWithOwner();
  const { body: queue } = await home.api('POST', `/api/queues?projectId=${home.projectId}`, {
    body: { name: 'Orders' },
  });
  const items = `/api/queues/${queue.id}/items`;
  const add = async (externalId: string) => (await home.api('POST', items, { body: { data: {}, externalId } })).body.id;
  const [held, shown] = [await add('A-1'), await add('A-2')];
  const { page, complaints } = await openConsole(home.url, `/console/queues/${queue.id}`);
  await logInThere(page, owner);
  await page.getByRole('button', { name: 'Claim next' }).click();
  const drawer = page.getByRole('dialog', { name: 'Item A-1' });
  await drawer.getByText('It is extended while the console is open.').waitFor();
  await drawer.getByLabel('Note or reason').fill('I have called them');
  const { body: item } = await home.api('GET', `${items}/${held}?expansion=lease`);
  const ended = await home.api('PATCH', `${items}/${held}/status`, {
    body: { status: 'COMPLETED', lease: item.lease.number },
  });
  expect(ended.status).toBe(200);
  // Long before the next heartbeat, which is due after a third of five minutes.
  await drawer.getByText('You no longer hold this item').waitFor();
  expect(await drawer.getByRole('button', { name: 'Complete' }).count()).toBe(0);
  expect(await drawer.getByLabel('Note or reason').inputValue()).toBe('I have called them');
  await drawer.getByRole('button', { name: 'Dismiss' }).click();

  // An item without a holder: the half-written reason can still be copied.
  await page.getByRole('link', { name: 'A-2' }).click();
  const other = page.getByRole('dialog', { name: 'Item A-2' });
  await other.getByLabel('Note or reason').fill('Not ours');
  await home.api('PATCH', `${items}/${shown}/status`, { body: { status: 'COMPLETED' } });
  await other.getByText('This item is final').waitFor();
  expect(await other.getByLabel('Note or reason').inputValue()).toBe('Not ours');
  expect(await other.getByLabel('Note or reason').isEditable()).toBe(false);
  expect(complaints).toEqual([]);
});

inBrowser('an item in the hands of a person has their name, for those who may read it, and never an id', async () => {
  const { home, owner } = await homeWithOwner();
  const { body: queue } = await home.api('POST', `/api/queues?projectId=${home.projectId}`, {
    body: { name: 'Orders' },
  });
  await home.api('POST', `/api/queues/${queue.id}/items`, { body: { data: {}, externalId: 'A-1' } });
  const holder = await newMember(home, 'builder');
  const claimed = await holder.call('POST', `/api/queues/${queue.id}/items/claim`, {
    body: { limit: 1, leaseMs: 300_000, worker: `console/${holder.id}` },
  });
  expect(claimed.body).toHaveLength(1);
  const seenBy = async (person: { email: string; password: string }, name: string) => {
    const { page, complaints } = await openConsole(home.url, `/console/queues/${queue.id}`);
    await logInThere(page, person);
    await page.getByText(`Held by ${name}.`).waitFor();
    await page.getByRole('link', { name: 'A-1' }).click();
    const drawer = page.getByRole('dialog', { name: 'Item A-1' });
    await drawer.getByText(`Held by ${name}`).waitFor();
    await drawer.getByRole('tab', { name: 'History' }).click();
    await drawer.getByText(`a person (${name})`).waitFor();
    expect(await page.getByText(holder.id).count()).toBe(0);
    expect(complaints).toEqual([]);
  };
  await seenBy(owner, 'builder');
  await seenBy(await confirmed(await newMember(home, 'operator')), 'a colleague');
});

inBrowser('an open page follows changes of the role: actions disappear and come back', async () => {
  const { home } = await homeWithOwner();
  const person = await confirmed(await newMember(home, 'builder'));
  const setRole = (role: string) => home.api('PATCH', `/api/workspace/users/${person.id}`, { body: { role } });
  const { page, complaints } = await openConsole(home.url, '/console/settings/variables');
  const refused: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() === 403) refused.push(answer.url());
  });
  const logIn = async (to: Page) => {
    await logInThere(to, person);
    await to.getByRole('button', { name: 'Add a variable' }).waitFor();
  };
  await logIn(page);
  // The workspace's event stream is open.
  await page.goto(at(home, '/queues'));
  await page.getByRole('button', { name: 'New queue' }).waitFor();
  const streamed = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/stream');
  await page.goto(at(home, '/settings/variables'));
  await streamed;
  await page.getByRole('button', { name: 'Add a variable' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('SHOP_URL');
  expect((await setRole('viewer')).status).toBe(200);
  await page.getByRole('heading', { name: 'No access to this page' }).waitFor();
  expect(await page.getByRole('navigation').first().getByText('Variables').count()).toBe(0);
  expect((await setRole('builder')).status).toBe(200);
  await page.getByRole('button', { name: 'Add a variable' }).waitFor();
  expect(refused).toEqual([]);
  expect(complaints).toEqual([]);
});

inBrowser(
  'an owner who takes away their own role, or leaves, reads before what it means, and lands where it is true',
  async () => {
    const { home, owner } = await homeWithOwner();
    const second = await confirmed(await newMember(home, 'owner'));
    const { page, complaints } = await openConsole(home.url, '/console/settings/people');
    await logInThere(page, owner);
    const row = page.getByRole('row').filter({ hasText: owner.email });
    await row.getByRole('button').last().click();
    await page.getByRole('menuitem', { name: 'Leave' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It is your only workspace: you will be logged out').waitFor();
    await dialog.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await again(page).count()).toBe(0);
    expect(complaints).toEqual([]);

    const { page: other, complaints: theirs } = await openConsole(home.url, '/console/settings/people');
    await logInThere(other, second);
    await newMember(home, 'owner');
    const own = other.getByRole('row').filter({ hasText: second.email });
    await own.getByRole('combobox').selectOption('viewer');
    await other.getByRole('dialog').getByText('This is your own role').waitFor();
    await other.getByRole('dialog').getByRole('button', { name: 'Viewer' }).click();
    await other.getByRole('heading', { name: 'No access to this page' }).waitFor();
    expect(theirs).toEqual([]);
  },
);

inBrowser(
  'a person who is a member of no workspace any more accepts an invitation as they log in',
  async () => {
    const [{ home: left, owner: person }, { home }] = [await homeWithOwner(), await homeWithOwner()];
    await newMember(left, 'owner');
    const { body: members } = await left.api('GET', '/api/workspace/users');
    const { id } = members.find(({ email }: { email: string }) => email === person.email);
    expect((await left.api('DELETE', `/api/workspace/users/${id}`)).status).toBe(200);
    await home.api('POST', '/api/workspace/users', { body: { email: person.email, role: 'viewer' } });
    const { page } = await openConsole(home.url, '/console/login');
    await logInThere(page, person);
    await page.getByText('You are not a member of any workspace').waitFor();
    await expectAccessibleInAll(page);
    await page.getByRole('button', { name: /^Accept the invitation to/ }).click();
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
    const { body: now } = await home.api('GET', '/api/workspace/users');
    expect(now).toContainEqual(expect.objectContaining({ email: person.email, role: 'viewer', isInvited: false }));
  },
  ALL_VIEWS_MS,
);

inBrowser('an invitation that an address has not been shown for is said so where its link leads', async () => {
  const [{ home: first }, { home }] = [await homeWithOwner(), await homeWithOwner()];
  const person = await confirmed(await newMember(first, 'operator'));
  const added = await home.api('POST', '/api/workspace/users', { body: { email: person.email, role: 'viewer' } });
  const { page, complaints } = await openConsole(home.url, `/console/settings/account?invitation=${added.body.id}`);
  await logInThere(page, person);
  await page.getByText('The invitation of your link is not listed for').waitFor();
  expect(complaints).toEqual([]);
});

inBrowser(
  'the moves of a card that somebody has deleted meanwhile are said not to be there, without another try',
  async () => {
    const { home, owner } = await homeWithOwner();
    const stateSchema = { initial: 'open', states: [{ id: 'open' }, { id: 'done' }] };
    await home.api('POST', '/api/object-types/upsert', { body: { slug: 'order', name: 'Order', stateSchema } });
    const { body } = await home.api('POST', '/api/objects', { body: { objectTypeSlug: 'order', name: 'A-1' } });
    const { page, complaints } = await openConsole(home.url, '/console/objects/order?tab=board');
    // Block the stream, so that the page receives no event.
    await page.route(
      ({ pathname }) => pathname === '/api/stream',
      (route) => route.fulfill({ status: 403, contentType: 'application/problem+json', body: '{"code":"FORBIDDEN"}' }),
    );
    await logInThere(page, owner);
    await page.getByRole('button', { name: 'Move A-1 to…' }).waitFor();
    expect((await home.api('DELETE', `/api/objects/${body.id}`)).status).toBe(200);
    await page.getByRole('button', { name: 'Move A-1 to…' }).press('Enter');
    await page.getByRole('menuitem', { name: 'This entity does not exist' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Try again' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  },
);

inBrowser('of two people who move one item, the slower one sees that and the current state', async () => {
  const { home, owner } = await homeWithOwner();
  const { body: queue } = await home.api('POST', `/api/queues?projectId=${home.projectId}`, {
    body: { name: 'Invoices', slug: 'invoices', maxRetries: 0 },
  });
  const path = `/api/queues/${queue.id}/items`;
  const { body: added } = await home.api('POST', path, { body: { data: {}, externalId: 'A-1' } });
  const { page, complaints } = await openConsole(home.url, `/console/queues/${queue.id}?item=${added.id}`);
  await logInThere(page, owner);
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Note or reason').fill('It is not ours');
  // The other person's change arrives while the user decides.
  await page.route('**/status?*', async (route) => {
    await home.api('PATCH', `${path}/${added.id}/status`, { body: { status: 'FAILED', error: 'Paid twice' } });
    await route.continue();
  });
  await drawer.getByRole('button', { name: 'Fail' }).click();
  await drawer.getByText('Somebody else moved this item first, so your move was not made.').waitFor();
  await drawer.getByRole('button', { name: 'Requeue' }).waitFor();
  await drawer.getByText('Last error: Paid twice').waitFor();
  expect(await drawer.getByLabel('Note or reason').inputValue()).toBe('It is not ours');
  expect(complaints).toEqual([]);
});
