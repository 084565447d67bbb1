// test: long
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { brokenNetwork } from '../setup/api/brokenNetwork.ts';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  ALL_VIEWS_MS,
  expectAccessible,
  expectAccessibleInAll,
  logInThere,
  openConsole,
  type Person,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { gate } from '../setup/jest/gate.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, agentHomeOn, tool } from '../setup/workspace/agentHome.ts';
import { grant } from '../setup/workspace/grants.ts';
import { action, webhook } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { newMember } from '../setup/workspace/people.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

async function agentHome(settings: object = {}): Promise<{ home: AgentHome; owner: Person }> {
  const { home, owner } = await homeWithOwner();
  return { home: await agentHomeOn(home, stackDatabase(), settings), owner };
}

const asking = { tools: [tool('testing', 'succeed', { policy: 'approve' })] };

const taskPath = ({ agentId }: AgentHome, taskId: string) => `/console/agents/${agentId}/tasks/${taskId}`;

const newTaskId = () => `task-${crypto.randomUUID().slice(0, 8)}`;

async function write(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

const messages = (page: Page) => page.getByRole('list', { name: 'Conversation' }).getByRole('listitem');

/** Returns the texts of the live log, which screen readers read out. */
async function spoken(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const log = nodes.find(({ role }) => role?.value === 'log');
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const textsOf = (id: string): string[] => {
    const node = byId.get(id);
    if (node?.role?.value === 'StaticText') return [String(node.name?.value).trim()];
    return (node?.childIds ?? []).flatMap(textsOf);
  };
  return (log?.childIds ?? []).flatMap(textsOf);
}

inBrowser(
  'a first message creates a task, its answer is rendered as markdown, and a reload shows the same',
  async () => {
    const { home, owner } = await agentHome();
    home.provider.answer([
      { reasoning: 'A list is best.' },
      ...say('It **left**. See [the order](https://shop.example/4711).\n\n- one\n- two\n'),
      ...say('\n![Map](https://elsewhere.example/map.png)'),
      { usage: { prompt: 3_000, completion: 120 } },
    ]);
    const { page, complaints } = await openConsole(home.url, '/console/agents');
    await page.addInitScript(`window.violations = [];
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      window.violations.push(effectiveDirective + ' ' + blockedURI))`);
    await page.reload();
    await logInThere(page, owner);
    await page.getByRole('link', { name: 'Agent', exact: true }).click();
    await write(page, 'Where is my order?');
    const answer = messages(page).nth(1);
    await answer.getByText('Thoughts').waitFor();
    await answer.locator('strong', { hasText: 'left' }).waitFor();
    await page.getByText('3,120 tokens').first().waitFor();
    await answer.getByText('3,120 tokens').waitFor();
    for (const [name, href] of [
      ['the order', 'https://shop.example/4711'],
      // An external image becomes a link, so its server learns nothing.
      ['Map', 'https://elsewhere.example/map.png'],
    ] as const) {
      const link = answer.getByRole('link', { name });
      expect([await link.getAttribute('href'), await link.getAttribute('rel')]).toEqual([href, 'noopener noreferrer']);
    }
    await page.reload();
    await answer.locator('strong', { hasText: 'left' }).waitFor();
    expect(await messages(page).first().textContent()).toContain('Where is my order?');
    expect(home.provider.requests).toHaveLength(1);
    expect(await page.evaluate('window.violations')).toEqual([]);
    expect(complaints).toEqual([]);
  },
);

inBrowser('loads no picture of a message from another server or a webhook', async () => {
  const { home, owner } = await agentHome();
  const elsewhere = await loopback();
  const workflowId = await home.deploy({
    trigger: webhook({ methods: ['GET'] }),
    nodes: [action('a', 'core.set', { values: {} })],
  });
  const address = `${elsewhere.url}/map.png?balance=99`;
  const own = `/api/webhooks/workflows/${workflowId}?balance=99`;
  home.provider.answer(say(`![Map](${address})\n\n![Chart](${own})\n\n![Same](${home.url}${own})\n\nDone.`));
  const requests: string[] = [];
  const onRequest = (url: string) => requests.push(url);
  const { page, complaints } = await openConsole(home.url, `/console/agents/${home.agentId}`, { onRequest });
  await logInThere(page, owner);
  await write(page, 'Where is my order?');
  await messages(page).nth(1).getByText('Done.').waitFor();
  await page.reload();
  await messages(page).nth(1).getByText('Done.').waitFor();
  // The browser requests visible images by the next frame.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  expect(await messages(page).nth(1).locator('img').count()).toBe(0);
  expect(elsewhere.calls).toEqual([]);
  expect(requests.filter((url) => url.includes('balance=99'))).toEqual([]);
  expect((await home.api('GET', `/api/executions?filterBy=workflowId:${workflowId}`)).body).toEqual([]);
  // Proves that the test would notice such a request.
  await page.evaluate(`fetch('${own}')`);
  expect(requests.filter((url) => url.includes('balance=99'))).toHaveLength(1);
  expect(complaints).toEqual([]);
});

inBrowser('a reload during a turn resumes it and sends the queued message at its end', async () => {
  const { home, owner } = await agentHome();
  const { after, goOn } = gate();
  home.provider.answer([...say('Yes. Hel'), { after }, ...say('lo.')], say('And again.'));
  const { page, complaints } = await openConsole(home.url, `/console/agents/${home.agentId}`);
  await logInThere(page, owner);
  await write(page, 'Hi');
  await messages(page).nth(1).getByText('Yes. Hel', { exact: true }).waitFor();
  expect(await spoken(page)).toEqual(['Yes.']);
  await page.getByText('You can close this page. The turn continues.').waitFor();
  await write(page, 'Once more');
  await write(page, 'Never mind');
  const waiting = page.getByRole('list', { name: 'Send after this turn' });
  await waiting.getByText('Never mind').waitFor();
  await waiting.getByRole('button', { name: 'Cancel “Never mind”' }).click();
  await page.reload();
  await messages(page).nth(1).getByText('Yes. Hel', { exact: true }).waitFor();
  await waiting.getByText('Once more').waitFor();
  expect(await waiting.getByRole('listitem').count()).toBe(1);
  goOn();
  await messages(page).nth(1).getByText('Yes. Hello.').waitFor();
  await messages(page).nth(3).getByText('And again.').waitFor();
  await waiting.waitFor({ state: 'detached' });
  expect(await messages(page).count()).toBe(4);
  expect(home.provider.requests).toHaveLength(2);
  expect(complaints).toEqual([]);
});

inBrowser('a queued message is removed with the session of its author', async () => {
  const { home, owner } = await agentHome();
  const { after, goOn } = gate();
  home.provider.answer([...say('Hel'), { after }, ...say('lo.')]);
  const { page, complaints } = await openConsole(home.url, `/console/agents/${home.agentId}`);
  await logInThere(page, owner);
  await write(page, 'Hi');
  await messages(page).nth(1).getByText('Hel', { exact: true }).waitFor();
  await write(page, 'A secret of mine');
  const waiting = page.getByRole('list', { name: 'Send after this turn' });
  await waiting.getByText('A secret of mine').waitFor();
  const task = page.url();
  const kept = () => page.evaluate<string>('JSON.stringify({ ...sessionStorage })');
  expect(await kept()).toContain('A secret of mine');
  await page.getByRole('button', { name: /owner-/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByLabel('E-mail').waitFor();
  expect(await kept()).not.toContain('A secret of mine');
  await logInThere(page, owner);
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  await page.goto(task);
  await messages(page).nth(1).getByText('Hel', { exact: true }).waitFor();
  expect(await waiting.count()).toBe(0);
  goOn();
  await messages(page).nth(1).getByText('Hello.').waitFor();
  expect(home.provider.requests).toHaveLength(1);
  expect(complaints).toEqual([]);
});

inBrowser('approves one call, denies another with a reason, and links each to its execution', async () => {
  const { home, owner } = await agentHome(asking);
  home.provider.answer(
    callTools({ id: 'c1', name: 'testing_succeed', arguments: { output: 7 } }),
    callTools({ id: 'c2', name: 'testing_succeed', arguments: { output: 8 } }),
    say('One was done.'),
  );
  const taskId = newTaskId();
  expect((await home.send(taskId, 'Do it')).status).toBe(200);
  const { page, complaints } = await openConsole(home.url, taskPath(home, taskId));
  await logInThere(page, owner);
  await page.getByRole('status').getByText('The agent waits for your approval.').waitFor();
  await page.getByRole('definition').getByText('7', { exact: true }).waitFor();
  // The button disappears after the answer, and the focus must not be lost.
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('a');
  await page.keyboard.press('Enter');
  await page.locator('textarea:focus').waitFor();
  await page.getByRole('definition').getByText('8', { exact: true }).waitFor();
  await page.getByLabel('Reason, if you deny').fill('Once is enough');
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByText('Denied: Once is enough').waitFor();
  await page.getByText('One was done.').waitFor();
  await page.getByRole('link', { name: 'Execution', exact: true }).click();
  await page.getByRole('heading', { name: /^#1/ }).waitFor();
  await page.goto(new URL('/console/executions', home.url).href);
  await page.getByRole('cell', { name: 'Agent called Testing: Succeed' }).waitFor();
  const [, answered] = await home.messages(taskId);
  expect(answered.parts.map((part: { state?: string }) => part.state).filter(Boolean)).toEqual([
    'output-available',
    'output-denied',
    'done',
  ]);
  expect(complaints).toEqual([]);
});

inBrowser('by keyboard: stops a turn with Escape, edits the last message, and regenerates the answer', async () => {
  const { home, owner } = await agentHome();
  home.provider.answer([...say('Hel'), { hang: true }], say('Edited.'), say('Anew.'));
  const { page, complaints } = await openConsole(home.url, `/console/agents/${home.agentId}`);
  await logInThere(page, owner);
  await page.getByRole('textbox', { name: 'Message' }).focus();
  await page.keyboard.type('Hi');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('there');
  await page.keyboard.press('Enter');
  await messages(page).nth(1).getByText('Hel', { exact: true }).waitFor();
  await page.getByRole('textbox', { name: 'Message' }).focus();
  await page.keyboard.press('Escape');
  await page.getByText('This answer was stopped. What arrived before is kept.').waitFor();
  expect(await messages(page).first().textContent()).toContain('Hi\nthere');
  await page.getByRole('textbox', { name: 'Message' }).press('Control+ArrowUp');
  await page.getByLabel('Edit your message').fill('Hi you');
  await page.getByRole('button', { name: 'Send instead' }).click();
  await messages(page).nth(1).getByText('Edited.').waitFor();
  await page.getByRole('button', { name: 'Answer again' }).click();
  await messages(page).nth(1).getByText('Anew.').waitFor();
  expect(await messages(page).count()).toBe(2);
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('n');
  await page.getByText('Your message starts a new task.').waitFor();
  expect(complaints).toEqual([]);
});

inBrowser('a failed turn shows the reason and can be retried', async () => {
  const { home, owner } = await agentHome();
  home.provider.answer([{ status: 401, error: { message: 'Bad key.' } }], say('Now it goes.'));
  const { page, complaints } = await openConsole(home.url, `/console/agents/${home.agentId}`);
  await logInThere(page, owner);
  await write(page, 'Hi');
  const alert = page.getByRole('alert').filter({ hasText: 'The agent could not answer' });
  await alert.getByText('PROVIDER_UNAUTHENTICATED').waitFor();
  await expectAccessible(page);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Now it goes.').waitFor();
  await alert.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

inBrowser('resumes the same answer after an outage during a stream, and sends nothing twice', async () => {
  const { home, owner } = await agentHome();
  const { after, goOn } = gate();
  home.provider.answer([...say('Hel'), { after }, ...say('lo.')]);
  const network = await brokenNetwork(home.url);
  const { page } = await openConsole(network.url, `/console/agents/${home.agentId}`);
  await logInThere(page, owner);
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  network.breakDown();
  await write(page, 'Hi');
  const alert = page.getByRole('alert').filter({ hasText: 'What you wrote is kept.' });
  await alert.waitFor();
  expect(await alert.textContent()).not.toContain('http');
  expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Hi');
  network.mend();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await messages(page).nth(1).getByText('Hel', { exact: true }).waitFor();
  network.breakDown();
  network.cut();
  await page.getByText('The API does not answer').first().waitFor();
  expect(await messages(page).nth(1).textContent()).toContain('Hel');
  goOn();
  network.mend();
  await messages(page).nth(1).getByText('Hello.').waitFor();
  expect(await messages(page).count()).toBe(2);
  expect(home.provider.requests).toHaveLength(1);
});

inBrowser('a task is renamed and deleted', async () => {
  const { home, owner } = await agentHome();
  home.provider.answer(say('Yes.'));
  const taskId = newTaskId();
  await home.send(taskId, 'Hi');
  const { page, complaints } = await openConsole(home.url, taskPath(home, taskId));
  await logInThere(page, owner);
  await page.getByRole('button', { name: 'More about this task' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Order 4711');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Order 4711' }).waitFor();
  await page
    .getByRole('navigation', { name: 'Tasks' })
    .getByRole('link', { name: /Order 4711/ })
    .waitFor();
  await page.getByRole('button', { name: 'More about this task' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No tasks yet. Your first message starts one.').waitFor();
  expect(complaints).toEqual([]);
});

inBrowser('a consumer starts at the shared agents and sees nothing else', async () => {
  const { home } = await agentHome();
  await home.agent();
  const { id, email, password } = await newMember(home, 'consumer');
  await grant({ workspaceId: home.workspaceId }, home.agentId, { userId: id });
  home.provider.answer(say('Hello.'));
  const { page, complaints } = await openConsole(home.url, '/console/');
  await logInThere(page, { email, password });
  await page.getByRole('heading', { name: 'Agents' }).waitFor();
  const places = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  expect(await places.allTextContents()).toEqual(['Agents']);
  await page.getByRole('link', { name: 'Agent', exact: true }).click();
  await write(page, 'Hi');
  await messages(page).nth(1).getByText('Hello.').waitFor();
  await page.goto(new URL('/console/executions', home.url).href);
  await page.getByRole('heading', { name: 'No access to this page' }).waitFor();
  expect(complaints).toEqual([]);
});

inBrowser(
  'agents and the chat are accessible in light and dark, wide and narrow',
  async () => {
    const { home, owner } = await agentHome({ ...asking, suggestedPrompts: ['Where is my order?'] });
    home.provider.answer([
      { reasoning: 'Look it up.' },
      ...say('Let me **see**:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n'),
      ...callTools({ id: 'c1', name: 'testing_succeed', arguments: { output: 7 } }),
    ]);
    const taskId = newTaskId();
    await home.send(taskId, 'Do it');
    const { page, complaints } = await openConsole(home.url, '/console/agents');
    await logInThere(page, owner);
    await page.getByText('1 task waits for approval').waitFor();
    await expectAccessibleInAll(page);
    await page.goto(new URL(`/console/agents/${home.agentId}`, home.url).href);
    await page.getByRole('button', { name: 'Where is my order?' }).waitFor();
    await page.getByRole('navigation', { name: 'Tasks' }).getByText('Needs approval').waitFor();
    await expectAccessibleInAll(page);
    await page.goto(new URL(taskPath(home, taskId), home.url).href);
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.locator('table').waitFor();
    await expectAccessibleInAll(page);
    expect(complaints).toEqual([]);
  },
  ALL_VIEWS_MS,
);
