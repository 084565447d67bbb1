// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  expectAccessible,
  expectAccessibleInAll,
  logInThere,
  openConsole,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { action, chain, manual, question, schedule, webhook } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { confirmed, newMember } from '../setup/workspace/people.ts';

withBrowser();

const greet = action('greet', 'core.set', { values: { hello: '{{ trigger.name }}' } }, { name: 'Greet' });
const form = manual(
  { key: 'name', label: 'Your name', type: 'text', required: true },
  { key: 'times', label: 'Times', type: 'number', required: false, default: 2 },
);
const greeting = { slug: 'greeting', name: 'Greeting', trigger: form, nodes: [greet], managedByCode: false };

inBrowser('a workflow shows whether it is published, and whether it has a draft', async () => {
  const { home, owner } = await homeWithOwner();
  const drafts = `/api/projects/${home.projectId}/workflows/drafts`;
  const { body: sketch } = await home.api('POST', drafts, { body: { name: 'Sketch', nodes: [greet] } });
  const live = await home.deploy({ ...greeting });
  await home.api('PUT', `/api/workflows/${live}/draft`, { body: { nodes: [], edges: [] } });
  const { page, complaints } = await openConsole(home.url, '/console/workflows');
  await logInThere(page, owner);
  const row = (name: RegExp) => page.getByRole('table', { name: 'Workflows' }).getByRole('row', { name });
  await row(/Greeting/)
    .getByText('Active')
    .waitFor();
  await row(/Greeting/)
    .getByText('Draft')
    .waitFor();
  await row(/Sketch/)
    .getByText('Not published')
    .waitFor();
  await row(/Sketch/)
    .getByRole('link', { name: 'Sketch' })
    .click();
  await page.getByText('Nothing starts this workflow until its draft is published.').waitFor();
  expect(new URL(page.url()).pathname).toBe(`/console/workflows/${sketch.id}`);
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  await page.getByRole('button', { name: /^Run/ }).waitFor({ state: 'detached' });
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

inBrowser('workflows are found by name, state and trigger; a paused one shows what it holds', async () => {
  const { home, owner } = await homeWithOwner();
  const held = await home.deploy({ ...greeting, maxConcurrent: 3 });
  await home.run({ name: 'Broken', nodes: [action('broken', 'testing.fail', { retryable: false })] });
  await home.deploy({ name: 'Orders', slug: 'orders', trigger: webhook(), nodes: [], isActive: false });
  await home.api('POST', `/api/workflows/${held}/pause`);
  await home.execute(held, { name: 'Ada' });
  const { page, complaints } = await openConsole(home.url, '/console/workflows');
  await logInThere(page, owner);
  const table = page.getByRole('table', { name: 'Workflows' });
  await table.getByRole('link', { name: 'Broken' }).waitFor();
  await table
    .getByRole('row', { name: /Broken/ })
    .getByRole('link', { name: '1 failed' })
    .waitFor();
  await page.getByLabel('State').selectOption({ label: 'Paused' });
  await table.getByRole('link', { name: 'Broken' }).waitFor({ state: 'detached' });
  await table
    .getByRole('row', { name: /Greeting/ })
    .getByText('Paused')
    .waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByLabel('Trigger').selectOption({ label: 'Webhook' });
  await table.getByRole('link', { name: 'Broken' }).waitFor({ state: 'detached' });
  await table
    .getByRole('row', { name: /Orders/ })
    .getByText('Inactive')
    .waitFor();
  expect(new URL(page.url()).searchParams.get('trigger')).toBe('webhook');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByLabel('Find', { exact: true }).fill('GREET');
  await page.getByLabel('Find', { exact: true }).press('Enter');
  await table.getByRole('link', { name: 'Broken' }).waitFor({ state: 'detached' });
  await table.getByRole('link', { name: '1', exact: true }).click();
  await page.getByRole('table', { name: 'Executions' }).getByText('Held').waitFor();
  expect(new URL(page.url()).searchParams.get('held')).toBe('true');
  expect(complaints).toEqual([]);
});

inBrowser(
  'the page of a workflow without an ended execution says so, also when one begins while it is open',
  async () => {
    const { home, owner } = await homeWithOwner();
    const id = await home.deploy({ nodes: [question('ask')] });
    const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}`);
    await logInThere(page, owner);
    await page.getByText('No execution ended in the last 30 days.').waitFor();
    await home.asked(await home.execute(id), 'ask');
    await page.getByRole('link', { name: '#1' }).waitFor();
    expect(await page.getByText(/Nothing ran/).count()).toBe(0);
    expect(complaints).toEqual([]);
  },
);

inBrowser(
  'a workflow is run by its form, again with the last inputs, and paused, which says what it does',
  async () => {
    const { home, owner } = await homeWithOwner();
    const id = await home.deploy(greeting);
    const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}`);
    await logInThere(page, owner);
    await page.getByRole('heading', { name: 'Greeting' }).waitFor();
    const graph = page.getByRole('region', { name: 'Graph of the workflow' });
    await graph.getByText('Greet', { exact: true }).waitFor();
    await graph.getByText('Core: Set fields').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const focused = page.locator(':focus');
    await dialog.getByLabel('Your name').and(focused).waitFor();
    await dialog.getByRole('button', { name: 'Run' }).click();
    await dialog.getByText('This is needed.').waitFor();
    await dialog.getByLabel('Your name').fill('Ada');
    await dialog.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('heading', { name: '#1 Greeting' }).waitFor();
    await page.getByRole('status').getByText('Completed').waitFor();
    await page.goto(new URL(`/console/workflows/${id}`, home.url).href);
    await page.getByRole('link', { name: '#1' }).waitFor();
    await page.getByRole('region', { name: 'The last 30 days' }).getByText('1 execution', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await dialog.getByLabel('Last inputs').selectOption({ index: 1 });
    expect(await dialog.getByLabel('Your name').inputValue()).toBe('Ada');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Pause' }).click();
    await dialog.getByText('Running executions continue to their end.').waitFor();
    // The dialog only asks, so the focus is on the button that changes nothing.
    await dialog.getByRole('button', { name: 'Leave as it is' }).and(focused).waitFor();
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await dialog.getByLabel('Your name').fill('Bob');
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Execution held until the workflow is resumed.').waitFor();
    await page.getByText(/Not started:/).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: '1 execution is held' }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await dialog.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    // The row may be hidden behind "1 new" until a reload.
    await page.reload();
    await page.getByRole('link', { name: '#2' }).waitFor();
    expect(complaints).toEqual([]);
  },
);

inBrowser('versions say what they changed, line by line and as text, and an earlier one is restored', async () => {
  const { home, owner } = await homeWithOwner();
  const id = await home.deploy(greeting);
  const bye = action('bye', 'core.set', { values: { bye: true } }, { name: 'Say goodbye' });
  const louder = { ...greet, inputs: { values: { hello: '{{ trigger.name }}!' } } };
  await home.deploy({ ...greeting, nodes: [louder, bye], edges: chain('greet', 'bye') });
  const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}?tab=versions`);
  await logInThere(page, owner);
  const table = page.getByRole('table', { name: 'Versions' });
  await table.getByRole('row', { name: /2 \(newest\)/ }).waitFor();
  const changes = page.getByRole('region', { name: 'From version 1 to 2' });
  for (const line of ['“Greet”: input values.hello', 'Added “Say goodbye”', 'New edge Greet → Say goodbye']) {
    await changes.getByText(line).waitFor();
  }
  await changes.getByText('As text').click();
  await changes
    .getByRole('textbox', { name: /Definition as YAML/ })
    .getByText('id: bye')
    .waitFor();
  await table.getByRole('button', { name: 'Restore version 1' }).click();
  await page.getByRole('dialog').getByText('version 3').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await table.getByRole('row', { name: /3 \(newest\)/ }).waitFor();
  const { body } = await home.api('GET', `/api/workflows/${id}?expansion=nodes,edges,version,managedByCode`);
  expect(body).toMatchObject({ version: 3, nodes: [greet], edges: [], managedByCode: false });
  await page.getByLabel('From', { exact: true }).selectOption('1');
  await page.getByText('No differences.').waitFor();
  expect(new URL(page.url()).searchParams.get('from')).toBe('1');
  expect(complaints).toEqual([]);
});

inBrowser(
  'triggers say how a workflow is started: the command of a webhook, the next times of a schedule',
  async () => {
    const { home, owner } = await homeWithOwner();
    const hook = await home.deploy({
      slug: 'hook',
      name: 'Hook',
      trigger: webhook({ hmac: { secret: 'abc' } }),
      nodes: [],
    });
    const config = { cron: '30 9 * * *', timezone: 'Europe/Berlin' };
    const nightly = await home.deploy({ slug: 'daily', name: 'Daily', trigger: schedule(config), nodes: [] });
    const { page, complaints } = await openConsole(home.url, `/console/workflows/${hook}?tab=triggers`);
    await logInThere(page, owner);
    await page.getByText(`/api/webhooks/workflows/${hook}`).first().waitFor();
    await page.getByText('X-Signature: t=$TIME,v1=$SIGNATURE').waitFor();
    const sample = page.getByRole('form', { name: 'Send test' });
    const send = sample.getByRole('button', { name: 'Send test' });
    await sample.getByLabel('Signing secret').fill('not it');
    await send.click();
    await sample.getByText('Response status 401.').waitFor();
    await sample.getByLabel('Signing secret').fill('abc');
    await sample.getByLabel('Body').fill('{"from": "the console"}');
    await send.click();
    await sample.getByText('Response status 200.').waitFor();
    await expectAccessible(page);
    await sample.getByRole('link', { name: 'Open the execution' }).click();
    await page.getByRole('heading', { name: /Hook/ }).waitFor();
    const { body: started } = await home.api('GET', `/api/executions/${page.url().split('/').at(-1)}?expansion=input`);
    expect(JSON.stringify(started)).toContain('the console');
    await page.goBack();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const run = page.getByRole('dialog');
    await run.getByText('A webhook request starts this workflow').waitFor();
    await run.getByLabel('Signing secret').fill('abc');
    await run.getByRole('button', { name: 'Send test' }).click();
    await run.getByText('Response status 200.').waitFor();
    await expectAccessible(page);
    await run.getByRole('link', { name: 'Open the execution' }).click();
    await page.getByRole('heading', { name: '#2 Hook' }).waitFor();
    await page.goto(new URL(`/console/workflows/${nightly}?tab=triggers`, home.url).href);
    const times = page.getByRole('region', { name: 'Next starts' });
    await times.getByText('9:30:00').nth(4).waitFor();
    const { body } = await home.api('GET', `/api/workflows/${nightly}?expansion=nextScheduledExecution`);
    const first = await times.locator('time').first().getAttribute('datetime');
    expect(first).toBe(body.nextScheduledExecution);
    expect(complaints).toEqual([]);
  },
);

inBrowser(
  'settings are changed, of a workflow that code manages only whether it is active; deletion names users',
  async () => {
    const { home, owner } = await homeWithOwner();
    const alert = await home.deploy({ slug: 'alert', name: 'Alert', nodes: [], managedByCode: false });
    const managed = await home.deploy({ slug: 'managed', name: 'Managed', nodes: [], onFailureWorkflowId: alert });
    const { page, complaints } = await openConsole(home.url, `/console/workflows/${alert}?tab=settings`);
    await logInThere(page, owner);
    await page.getByLabel('Maximum concurrent executions').fill('4');
    await page.getByLabel('Execution timeout').fill('90');
    await page.getByRole('switch', { name: 'Offer as a tool' }).check();
    await page.getByLabel('What the tool does').fill('Sends an alert');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const read = async (id: string) =>
      (await home.api('GET', `/api/workflows/${id}?expansion=maxConcurrent,timeoutMs,isActive,exposeAsTool`)).body;
    expect(await read(alert)).toMatchObject({
      ...{ maxConcurrent: 4, timeoutMs: 5_400_000, isActive: true },
      exposeAsTool: { description: 'Sends an alert' },
    });
    await home.api('PATCH', `/api/workflows/${alert}`, { body: { description: 'Meanwhile' } });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Another');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Someone else has changed this in the meantime').waitFor();
    await page.getByRole('button', { name: 'Delete workflow' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Managed' }).click();
    await page.getByRole('heading', { name: 'Managed' }).waitFor();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByText('This workflow is deployed from files').waitFor();
    expect(await page.getByLabel('Maximum concurrent executions').isDisabled()).toBe(true);
    await page.getByRole('switch', { name: 'Active' }).uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Inactive', { exact: true }).waitFor();
    expect(await read(managed)).toMatchObject({ isActive: false });
    await page.getByRole('button', { name: 'Delete workflow' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Workflows' }).waitFor();
    await page.getByRole('link', { name: 'Alert' }).waitFor();
    expect(await page.getByRole('link', { name: 'Managed' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  },
);

inBrowser('an operator runs a workflow, and sees no way to change it', async () => {
  const { home } = await homeWithOwner();
  const id = await home.deploy(greeting);
  const operator = await confirmed(await newMember(home, 'operator'));
  const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}?tab=settings`);
  await logInThere(page, operator);
  await page.getByText('You can view these settings').waitFor();
  for (const name of ['Pause', 'Edit', 'Save', 'Delete workflow']) {
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
  }
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Your name').waitFor();
  expect(complaints).toEqual([]);
});

inBrowser('an earlier version is looked at as a graph, at an address of its own', async () => {
  const { home, owner } = await homeWithOwner();
  const id = await home.deploy(greeting);
  await home.deploy({ ...greeting, nodes: [{ ...greet, name: 'Welcome' }] });
  await home.deploy({ ...greeting, nodes: [] });
  const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}?tab=versions`);
  await logInThere(page, owner);
  const table = page.getByRole('table', { name: 'Versions' });
  await table.getByRole('row', { name: /3 \(newest\)/ }).waitFor();
  // The newest version is the page's own graph.
  expect(await table.getByRole('link', { name: /^Graph of version/ }).count()).toBe(2);
  await table.getByRole('link', { name: 'Graph of version 2' }).click();
  const second = page.getByRole('region', { name: 'Version 2', exact: true });
  await second.getByRole('heading', { name: 'Graph of version 2' }).and(page.locator(':focus')).waitFor();
  await second.locator('.react-flow__node', { hasText: 'Welcome' }).click();
  await second.getByRole('region', { name: 'Node Welcome' }).getByText('{{ trigger.name }}').waitFor();
  expect(await second.locator('.react-flow__node.draggable').count()).toBe(0);
  const { search } = new URL(page.url());
  expect([...new URLSearchParams(search)].sort()).toEqual([
    ['graph', '2'],
    ['node', 'greet'],
    ['tab', 'versions'],
  ]);
  await expectAccessibleInAll(page);
  await page.reload();
  await second.getByRole('region', { name: 'Node Welcome' }).waitFor();
  await table.getByRole('link', { name: 'Graph of version 1' }).click();
  await page.getByRole('region', { name: 'Version 1', exact: true }).getByText('Greet', { exact: true }).waitFor();
  await page.goBack();
  await second.getByRole('region', { name: 'Node Welcome' }).waitFor();
  await second.getByRole('link', { name: 'Close' }).click();
  await second.waitFor({ state: 'detached' });
  await page.goto(new URL(`/console/workflows/${id}?tab=versions&graph=9`, home.url).href);
  await page.getByRole('main').getByRole('alert').waitFor();
  expect(complaints).toEqual([]);
});

inBrowser.each([
  ['light', 390],
  ['dark', 1280],
] as const)('pages of workflows are accessible: %s, %i wide', async (scheme, width) => {
  const { home, owner } = await homeWithOwner();
  const id = await home.deploy(greeting);
  await home.deploy({ ...greeting, nodes: [] });
  await home.ended(await home.execute(id, { name: 'Ada' }));
  const { page, complaints } = await openConsole(home.url, '/console/workflows', { scheme, width });
  await logInThere(page, owner);
  await page.getByRole('link', { name: 'Greeting' }).waitFor();
  await expectAccessible(page);
  for (const [tab, shown] of Object.entries({
    executions: page.getByRole('region', { name: 'The last 30 days' }),
    versions: page.getByText('Removed “Greet”'),
    triggers: page.getByRole('button', { name: 'Copy the command' }),
    tests: page.getByRole('button', { name: 'Record a test case' }),
    settings: page.getByRole('button', { name: 'Save' }),
  })) {
    await page.goto(new URL(`/console/workflows/${id}?tab=${tab}`, home.url).href);
    await shown.waitFor();
    if (tab === 'versions') {
      await page.getByText('As text').click();
      await page.getByRole('textbox', { name: /Definition as YAML/ }).waitFor();
    }
    if (tab === 'tests') {
      // The output of `perdure test --record`, by the same rule.
      await page.getByLabel('Execution', { exact: true }).selectOption({ index: 1 });
      await page.getByRole('button', { name: 'Record a test case' }).click();
      const text = await page.getByRole('textbox', { name: 'Test case' }).textContent();
      for (const part of ['workflow: ', 'name: "as in execution #1"', 'name: Ada', 'status: COMPLETED', 'path:']) {
        expect(text).toContain(part);
      }
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download' }).click();
      expect((await download).suggestedFilename()).toMatch(/-1\.yaml$/);
    }
    await expectAccessible(page);
  }
  for (const [button, shown] of Object.entries({
    Run: 'Your name',
    Pause: 'Running executions continue to their end.',
  })) {
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('dialog').getByText(shown).first().waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  expect(complaints).toEqual([]);
});
