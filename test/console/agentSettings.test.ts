// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, type Person, withBrowser } from '../setup/browser/consolePage.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, agentHomeOn } from '../setup/workspace/agentHome.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { newMember } from '../setup/workspace/people.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

async function agentHome(settings: object = {}): Promise<{ home: AgentHome; owner: Person }> {
  const { home, owner } = await homeWithOwner();
  return { home: await agentHomeOn(home, stackDatabase(), settings), owner };
}

/** Creates an agent that is not managed by code; returns its id. */
async function upserted(home: AgentHome, settings: object = {}): Promise<string> {
  const body = {
    slug: 'support',
    name: 'Support',
    instructions: 'Help.',
    model: 'm',
    managedByCode: false,
    ...settings,
  };
  const answer = await home.api('POST', `/api/projects/${home.projectId}/agents/upsert`, { body });
  expect(answer.status).toBe(200);
  return answer.body.id;
}

const settingsOf = async (home: AgentHome, agentId: string) =>
  (
    await home.api(
      'GET',
      `/api/agents/${agentId}?expansion=slug,instructions,selectedModelId,temperature,tools,contextTokens,managedByCode,exposeAsTool`,
    )
  ).body;

inBrowser('creates an agent by forms: model, instructions, an action with its policy', async () => {
  const { home, owner } = await agentHome();
  const { page, complaints } = await openConsole(home.url, '/console/agents');
  await logInThere(page, owner);
  await page.getByRole('button', { name: 'New agent' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Order desk');
  await dialog.getByLabel('Model').fill('gpt-4.1-mini');
  await dialog.getByRole('textbox', { name: 'Instructions' }).fill('Answer questions about orders.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Order desk' }).waitFor();
  await page.getByRole('switch', { name: 'Offer as a tool' }).check();
  await page.getByLabel('Tool name').fill('ask_orders');
  await page.getByLabel('What the tool does').fill('Answers questions about orders');
  await page.getByLabel('Temperature').fill('0.2');
  await page.getByLabel('Maximum tokens of a request').fill('5000');
  await page.getByLabel('Action', { exact: true }).selectOption({ label: 'HTTP request' });
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const tool = page.getByRole('region', { name: /HTTP request/ });
  await tool.getByLabel('Policy').selectOption({ label: 'Ask a person first' });
  await tool.getByText('Fixed values: none').click();
  await tool.getByLabel('Fixed values', { exact: true }).fill('{"method": "GET"}');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. New turns use it.').waitFor();
  const { body } = await home.api('GET', '/api/agents?filterBy=slug:order-desk');
  expect(await settingsOf(home, body[0].id)).toMatchObject({
    slug: 'order-desk',
    selectedModelId: 'gpt-4.1-mini',
    instructions: 'Answer questions about orders.',
    exposeAsTool: { name: 'ask_orders', description: 'Answers questions about orders' },
    temperature: 0.2,
    contextTokens: 5_000,
    managedByCode: false,
    tools: [{ appId: 'http', actionId: 'request', inputs: { method: 'GET' }, policy: 'approve' }],
  });
  expect(complaints).toEqual([]);
});

inBrowser('creates an agent from a name without Latin letters, with its model connection', async () => {
  const { home, owner } = await agentHome();
  const { page, complaints } = await openConsole(home.url, '/console/agents');
  await logInThere(page, owner);
  const dialog = page.getByRole('dialog');
  for (const name of ['注文の案内係', 'خدمة الطلبات']) {
    await page.getByRole('button', { name: 'New agent' }).click();
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Model').fill('m');
    await dialog.getByLabel('Connection to the provider').selectOption(home.connectionId);
    await dialog.getByRole('textbox', { name: 'Instructions' }).fill('Help.');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name }).waitFor();
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
  }
  const { body } = await home.api('GET', '/api/agents?expansion=slug');
  expect(body).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: '注文の案内係', slug: 'agent', FK_aiConnectionId: home.connectionId }),
      expect.objectContaining({ name: 'خدمة الطلبات', slug: 'agent-2', FK_aiConnectionId: home.connectionId }),
    ]),
  );
  expect(complaints).toEqual([]);
});

inBrowser(
  'edits the agent as code, reports mistakes with their place, and does not overwrite a newer agent',
  async () => {
    const { home, owner } = await agentHome();
    const agentId = await upserted(home);
    const { page, complaints } = await openConsole(home.url, `/console/agents/${agentId}?tab=settings&view=code`);
    await logInThere(page, owner);
    const code = page.getByRole('textbox', { name: 'The agent as JSON' });
    await code.waitFor();
    await code.fill('{');
    await page.getByText('This is not JSON.').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await code.fill(
      '{"slug": "support", "name": "Support", "instructions": "Help more.", "model": "m", "contextTokens": 5}',
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('alert')
      .getByText(/contextTokens/)
      .first()
      .waitFor();
    await code.fill('{"slug": "support", "name": "Support", "instructions": "Help more.", "model": "m"}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. New turns use it.').waitFor();
    await page.getByRole('button', { name: 'Forms' }).click();
    expect(await page.getByRole('textbox', { name: 'Instructions' }).inputValue()).toBe('Help more.');
    await upserted(home, { instructions: 'Of somebody else.' });
    await page.getByRole('textbox', { name: 'Instructions' }).fill('Mine.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Load the latest version' }).click();
    await page.getByText('Of somebody else.').waitFor();
    expect((await settingsOf(home, agentId)).instructions).toBe('Of somebody else.');
    expect(complaints).toEqual([]);
  },
);

inBrowser('shows an agent managed by code read-only', async () => {
  const { home, owner } = await agentHome();
  const { page, complaints } = await openConsole(home.url, `/console/agents/${home.agentId}?tab=settings`);
  await logInThere(page, owner);
  await page.getByText('This agent is managed by code.').waitFor();
  expect(await page.getByRole('textbox', { name: 'Instructions' }).isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

inBrowser('shares an agent with a person and deletes a fact that it remembers', async () => {
  const { home, owner } = await agentHome({ memoryEnabled: true, memoryScope: 'agent' });
  const { id } = await newMember(home, 'consumer');
  home.provider.answer(
    callTools({ id: 'c1', name: 'remember', arguments: { fact: 'Grace wants her invoices in English.' } }),
    say('Noted.'),
  );
  expect((await home.send('task-1', 'Remember that')).status).toBe(200);
  const { page, complaints } = await openConsole(home.url, `/console/agents/${home.agentId}?tab=sharing`);
  await logInThere(page, owner);
  await page.getByText('Not shared yet.').waitFor();
  await page.getByLabel('Who').selectOption({ label: 'consumer' });
  await page.getByLabel('Messages an hour').fill('5');
  await page.getByRole('button', { name: 'Share' }).click();
  const grants = page.getByRole('table', { name: 'Grants' });
  await grants.getByText('consumer').waitFor();
  const granted = await home.api('GET', `/api/agents/${home.agentId}/grants`);
  expect(granted.body).toMatchObject([{ subject: { type: 'user', id }, hourlyMessageCap: 5 }]);
  await grants.getByRole('button', { name: 'Revoke the grant of consumer' }).click();
  await page.getByText('Not shared yet.').waitFor();
  await page.getByRole('tab', { name: 'Memories' }).click();
  await page.getByText('Grace wants her invoices in English.').waitFor();
  await page.getByRole('button', { name: /^Forget/ }).click();
  await page.getByText('No facts yet.').waitFor();
  expect((await home.api('GET', `/api/agents/${home.agentId}/memories`)).body).toEqual([]);
  expect(complaints).toEqual([]);
});

inBrowser.each([
  ['light', 1280],
  ['dark', 390],
] as const)('settings of agents are accessible: %s, %i wide', async (scheme, width) => {
  const { home, owner } = await agentHome();
  const tools = [{ appId: 'http', actionId: 'request', policy: 'approve' }];
  const agentId = await upserted(home, { tools });
  const { page, complaints } = await openConsole(home.url, `/console/agents/${agentId}?tab=settings`, {
    scheme,
    width,
  });
  await logInThere(page, owner);
  await page.getByRole('region', { name: /HTTP request/ }).waitFor();
  await expectAccessible(page);
  for (const [address, shown] of [
    ['?tab=settings&view=code', page.getByRole('textbox', { name: 'The agent as JSON' })],
    ['?tab=memories', page.getByText('No facts yet.')],
    ['?tab=sharing', page.getByText('Not shared yet.')],
  ] as const) {
    await page.goto(new URL(`/console/agents/${agentId}${address}`, home.url).href);
    await shown.waitFor();
    await expectAccessible(page);
  }
  expect(complaints).toEqual([]);
});
