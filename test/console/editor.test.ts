import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { form, node, problems, tabTo, write } from '../setup/browser/editorPage.ts';
import { poll } from '../setup/jest/poll.ts';
import { action, chain, control, manual } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

const person = manual({ key: 'person', label: 'Person', type: 'text', required: true });
const greet = {
  slug: 'greet',
  managedByCode: false,
  name: 'Greet',
  trigger: person,
  nodes: [action('hello', 'core.transform', { value: 'Hello {{ trigger.person }}' }, { name: 'Hello' })],
};

inBrowser('the first workflow of the README is built by keyboard alone, and runs', async () => {
  const { home, owner } = await homeWithOwner();
  const { page, complaints } = await openConsole(home.url, '/console/workflows/new');
  await logInThere(page, owner);
  await page.getByRole('heading', { name: 'New workflow' }).waitFor();
  const keys = page.keyboard;
  await form(page).getByLabel('Project').waitFor();
  await tabTo(page, 'Settings');
  await keys.press('Enter');
  await form(page).getByLabel('Name').and(page.locator(':focus')).waitFor();
  await keys.insertText('Refund an expense');
  await node(page, 'Trigger').focus();
  await keys.press('Enter');
  for (const [index, [key, label, type]] of [
    ['person', 'Person', 'Text'],
    ['amount', 'Amount', 'Number'],
  ].entries()) {
    await tabTo(page, 'Add a field');
    await keys.press('Enter');
    await form(page).getByRole('textbox', { name: 'Label' }).nth(index).and(page.locator(':focus')).waitFor();
    await keys.insertText(label ?? '');
    // The key follows the label.
    expect(await form(page).getByRole('textbox', { name: 'Key' }).nth(index).inputValue()).toBe(key);
    await tabTo(page, 'Type');
    await keys.type(type ?? '');
    await tabTo(page, 'Required');
    await keys.press('Space');
  }
  await keys.press('Escape');
  await node(page, 'Trigger').and(page.locator(':focus')).waitFor();
  await keys.press('a');
  await keys.type('ask a person');
  await keys.press('Enter');
  await node(page, 'Ask a person').and(page.locator(':focus')).waitFor();
  await keys.press('Enter');
  await form(page).getByLabel('Name').and(page.locator(':focus')).waitFor();
  await keys.press('ControlOrMeta+a');
  await keys.insertText('Approve the expense');
  await tabTo(page, 'Id');
  await keys.press('ControlOrMeta+a');
  await keys.insertText('approval');
  await tabTo(page, 'Title');
  await keys.insertText('{{ trigger.person }} asks for {{ trigger.amount }}');
  await tabTo(page, 'Add a field');
  await keys.press('Enter');
  await form(page).getByRole('textbox', { name: 'Label' }).and(page.locator(':focus')).waitFor();
  await keys.insertText('Approved');
  await tabTo(page, 'Type');
  await keys.type('Yes');
  await tabTo(page, 'Required');
  await keys.press('Space');
  await keys.press('Escape');
  await node(page, 'Approve the expense').and(page.locator(':focus')).waitFor();
  await keys.press('a');
  await keys.type('set fields');
  await keys.press('Enter');
  await node(page, 'Set fields').and(page.locator(':focus')).waitFor();
  await keys.press('Enter');
  await form(page).getByLabel('Name').first().and(page.locator(':focus')).waitFor();
  for (const [name, value] of [
    ['refund', '{{ steps.approval.output.approved ? trigger.amount : 0 }}'],
    ['person', '{{ upper(trigger.person) }}'],
  ] as const) {
    await tabTo(page, 'Add a value');
    await keys.press('Enter');
    await form(page)
      .getByRole('textbox', { name: /^Name \d/ })
      .last()
      .and(page.locator(':focus'))
      .waitFor();
    await keys.insertText(name);
    await tabTo(page, `Value of ${name}`);
    await keys.insertText(value);
  }
  await problems(page).getByText('No problems.').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).focus();
  await keys.press('Enter');
  await page.waitForURL(/workflows\/[0-9a-f-]{36}\/edit/);
  await page.getByText('Published as version 1.').waitFor();
  const { body: list } = await home.api(
    'GET',
    '/api/workflows?filterBy=slug:refund-an-expense&expansion=managedByCode',
  );
  expect(list).toMatchObject([{ managedByCode: false }]);
  const executionId = await home.execute(list[0].id, { person: 'Ada', amount: 42.5 });
  await home.asked(executionId, 'approval');
  // A new question is for members.
  await home.submit(executionId, 'approval', { approved: true }, undefined, home.api);
  expect((await home.ended(executionId)).output).toEqual({ refund: 42.5, person: 'ADA' });
  expect(complaints).toEqual([]);
});

const edit = (id: string, more = '') => `/console/workflows/${id}/edit${more}`;

inBrowser(
  'graph and code are views of one definition: changes in one show in the other, and can be undone',
  async () => {
    const { home, owner } = await homeWithOwner();
    const id = await home.deploy(greet);
    const { page, complaints } = await openConsole(home.url, edit(id, '?tab=code'));
    await logInThere(page, owner);
    const code = page.getByRole('textbox', { name: 'Definition' });
    await code.getByText('Hello {{ trigger.person }}').waitFor();
    const written = `trigger: { id: trigger, type: manual, config: {} }
nodes:
  - { id: hello, type: action, name: Say hello, appId: core, actionId: transform, inputs: { value: Hello } }
  - { id: pause, type: delay, name: Pause, inputs: { forMs: 1000 } }
edges:
  - { id: e, source: hello, target: pause }
`;
    await code.focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(written);
    await page.getByRole('tab', { name: 'Graph' }).click();
    await node(page, 'Say hello').waitFor();
    await node(page, 'Pause').click();
    await page.keyboard.press('Delete');
    await node(page, 'Pause').waitFor({ state: 'detached' });
    await page.keyboard.press('v');
    await code.getByText('Say hello').waitFor();
    expect(await code.textContent()).not.toContain('Pause');
    await page.getByText('JSON', { exact: true }).click();
    await code.getByText('"Say hello"').waitFor();
    await code.focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('{"nodes": [');
    await page
      .getByRole('alert')
      .getByText(/The graph shows the last valid version/)
      .waitFor();
    await page.getByRole('tab', { name: 'Graph' }).click();
    await node(page, 'Say hello').waitFor();
    await page.getByText('The code has errors.').waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Not saved: the code has errors.').waitFor();
    await code.getByText('{"nodes": [').waitFor();
    await page.getByRole('button', { name: 'Discard this text' }).click();
    await code.getByText('"Say hello"').waitFor();
    await page.getByRole('tab', { name: 'Graph' }).click();
    await node(page, 'Say hello').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await node(page, 'Pause').waitFor();
    await page.getByRole('button', { name: 'Redo' }).click();
    await node(page, 'Pause').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /changes$/ }).click();
    await page.getByRole('dialog').getByText('nodes.hello.name changed').waitFor();
    expect(complaints).toEqual([]);
  },
);

inBrowser('a save over a newer version asks whether to take or overwrite it', async () => {
  const { home, owner } = await homeWithOwner();
  const id = await home.deploy({ ...greet, managedByCode: true });
  const versionOf = async () => (await home.api('GET', `/api/workflows/${id}?expansion=version,nodes`)).body;
  const { page, complaints } = await openConsole(home.url, edit(id, '?node=hello'));
  await logInThere(page, owner);
  await page.getByText('This workflow is managed by code').waitFor();
  const colour = () => page.evaluate("getComputedStyle(document.querySelector('.editor-text')).backgroundColor");
  await page.locator('.editor-text').first().waitFor();
  const shown = await colour();
  await page.getByRole('button', { name: 'Edit here anyway' }).click();
  await poll(colour).not.toBe(shown);
  await write(page, 'Name', 'Mine');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published as version 2.').waitFor();
  await home.deploy({ ...greet, nodes: greet.nodes.map((one) => ({ ...one, name: 'Theirs' })) });
  await write(page, 'Name', 'Mine again');
  await page.keyboard.press('ControlOrMeta+s');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The saved draft or version is newer than the one you started from.').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Take theirs' }).click();
  await node(page, 'Theirs').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await node(page, 'Mine again').waitFor();
  await home.deploy({ ...greet, nodes: greet.nodes.map((one) => ({ ...one, name: 'Theirs again' })) });
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await dialog.getByRole('button', { name: 'Overwrite with mine' }).click();
  await page.getByText('Published as version 5.').waitFor();
  expect(await versionOf()).toMatchObject({ version: 5, nodes: [{ name: 'Mine again' }] });
  expect(complaints).toEqual([]);
});

inBrowser('links problems to their fields, previews expressions, and tests a node with these values', async () => {
  const { home, owner } = await homeWithOwner();
  const id = await home.deploy({
    ...greet,
    nodes: [...greet.nodes, action('loud', 'core.transform', { value: 1 })],
    edges: chain('hello', 'loud'),
  });
  await home.ended(await home.execute(id, { person: 'Ada' }));
  const { page, complaints } = await openConsole(home.url, edit(id, '?node=loud'));
  await logInThere(page, owner);
  await write(page, 'Value', '{{ trigger.person }} it is');
  await form(page).getByText('= "Ada it is"').waitFor();
  await write(page, 'Value', '{{ upper(steps.hello.output) }}');
  await form(page).getByText('= "HELLO ADA"').waitFor();
  await write(page, 'Value', '{{ steps.nobody.output }}');
  await problems(page)
    .getByRole('button', { name: /there is no node nobody/ })
    .waitFor();
  await node(page, 'Hello').click();
  await page.keyboard.press('F8');
  await form(page).getByRole('textbox', { name: 'Value', exact: true }).and(page.locator(':focus')).waitFor();
  await form(page)
    .getByText(/there is no node nobody/)
    .waitFor();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('{{ ');
  await page.keyboard.type('steps.');
  await page.getByRole('option', { name: /^hello/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('.output + "!" }}');
  await form(page).getByText('= "Hello Ada!"').waitFor();
  await node(page, 'loud').click();
  await page.keyboard.press('t');
  await form(page).getByRole('button', { name: 'Test this node' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await form(page)
    .getByRole('status')
    .getByText('"Hello Ada!"')
    .or(form(page).getByRole('status').getByText('Hello Ada!'))
    .first()
    .waitFor();
  // An expensive expression does not block the page.
  await write(
    page,
    'Value',
    '{{ [1,2,3,4,5,6,7,8,9].map(a, [1,2,3,4,5,6,7,8,9].map(b, [1,2,3,4,5,6,7,8,9].map(c, [1,2,3,4,5,6,7,8,9].map(d, [1,2,3,4,5,6,7,8,9].map(e, [1,2,3,4,5,6,7,8,9].map(f, [1,2,3,4,5,6,7,8,9].map(g, a))))))) }}',
  );
  await form(page)
    .getByRole('status', { name: 'Preview: Value' })
    .getByText(/takes more than/)
    .waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(complaints).toEqual([]);
});

inBrowser('asks before unsaved changes are left, and restores them as a draft', async () => {
  const { home, owner } = await homeWithOwner();
  const { page, complaints } = await openConsole(home.url, '/console/workflows/new');
  await logInThere(page, owner);
  await write(page, 'Name', 'Half done');
  await page.getByRole('region', { name: 'Flow' }).getByRole('button', { name: 'Wait', exact: true }).click();
  await node(page, 'Wait').waitFor();
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stay here' }).click();
  await node(page, 'Wait').waitFor();
  const isKept = () =>
    Object.keys((globalThis as unknown as { localStorage: object }).localStorage).some((key) =>
      key.startsWith('perdure.draft.'),
    );
  await page.waitForFunction(isKept);
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  await page.goto(new URL('/console/workflows/new', home.url).href);
  await page.getByRole('button', { name: 'Resume the draft' }).click();
  await node(page, 'Wait').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published as version 1.').waitFor();
  expect(complaints).toEqual([]);
});

inBrowser('sends masked secrets of a trigger back unchanged, and accepts nodes dragged into a loop', async () => {
  const { home, owner } = await homeWithOwner();
  const secret = 's3cret-of-the-hook';
  const id = await home.deploy({
    ...greet,
    slug: 'hook',
    name: 'Hook',
    trigger: { id: 'trigger', type: 'webhook', config: { secret } },
    nodes: [control('each', 'forEach', { items: '{{ trigger.body }}' }, { name: 'Each' })],
  });
  const { page, complaints } = await openConsole(home.url, edit(id, '?node=trigger'));
  await logInThere(page, owner);
  await form(page).getByText('The stored value is kept.').waitFor();
  const palette = page.getByRole('region', { name: 'Actions' });
  await palette.getByRole('searchbox').fill('transform');
  await palette.getByRole('button', { name: 'Transform', exact: true }).dragTo(node(page, 'Each'));
  await node(page, 'Transform').waitFor();
  await write(page, 'Value', '{{ loop.item }}');
  await poll(() => palette.getByRole('searchbox').inputValue()).toBe('');
  await node(page, 'Each').click({ position: { x: 20, y: 12 } });
  await palette.getByRole('button', { name: 'Stop', exact: true }).click();
  await form(page).getByLabel('Message').waitFor();
  await problems(page).getByText('No problems.').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published as version 2.').waitFor();
  const { body } = await home.api('GET', `/api/workflows/${id}?expansion=nodes,edges`);
  expect(body.nodes).toMatchObject([{ id: 'each' }, { id: 'transform', parentId: 'each' }, { id: 'stop' }]);
  expect(body.edges).toMatchObject([{ source: 'each', target: 'stop' }]);
  const post = (given: string) =>
    fetch(new URL(`/api/webhooks/workflows/${id}`, home.url), {
      method: 'POST',
      headers: { 'x-webhook-secret': given },
    });
  expect((await post('another')).status).toBe(401);
  expect((await post(secret)).status).toBe(200);
  expect(complaints).toEqual([]);
});
