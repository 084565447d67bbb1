// test: long
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { gate } from '../setup/jest/gate.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, agentHomeOn, tool, userMessage } from '../setup/workspace/agentHome.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

const asking = { tools: [tool('testing', 'succeed', { policy: 'approve' })] };
const call = (id: string, output: number) => ({ id, name: 'testing_succeed', arguments: { output } });

async function ownerAtTask(settings: object, ...first: Parameters<AgentHome['provider']['answer']>) {
  const { home: bare, owner } = await homeWithOwner();
  const home = await agentHomeOn(bare, stackDatabase(), settings);
  home.provider.answer(...first);
  const taskId = `task-${crypto.randomUUID().slice(0, 8)}`;
  expect((await home.send(taskId, 'Begin')).status).toBe(200);
  const { page, complaints } = await openConsole(home.url, `/console/agents/${home.agentId}/tasks/${taskId}`);
  await logInThere(page, owner);
  await messages(page).nth(1).waitFor();
  return { home, taskId, page, complaints };
}

/** Holds the page's next message or answer until `release`, so that somebody else is faster. */
async function holdNext(page: Page) {
  const { after, goOn: release } = gate();
  const { after: isHeld, goOn: held } = gate();
  await page.route('**/stream-message', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    held();
    await after;
    await route.continue();
  });
  return { isHeld, release };
}

const messages = (page: Page) => page.getByRole('list', { name: 'Conversation' }).getByRole('listitem');

/** Starts another person's turn; it ends with `goOn`. */
async function otherTurn(home: AgentHome, taskId: string) {
  const { after, goOn } = gate();
  home.provider.answer([...say('For the other'), { after }, ...say(' one.')], say('For you.'));
  const turn = await home.stream(taskId, { message: userMessage('I was quicker', crypto.randomUUID()) });
  expect(turn.status).toBe(200);
  return goOn;
}

inBrowser("a message sent after another person's waits for that turn and is not shown as its question", async () => {
  const { home, taskId, page, complaints } = await ownerAtTask({}, say('Yes.'));
  const { isHeld, release } = await holdNext(page);
  await page.getByRole('textbox', { name: 'Message' }).fill('And I?');
  await page.keyboard.press('Enter');
  await isHeld;
  const goOn = await otherTurn(home, taskId);
  release();
  const waiting = page.getByRole('list', { name: 'Send after this turn' });
  await waiting.getByText('And I?').waitFor();
  await messages(page).nth(2).getByText('I was quicker').waitFor();
  await messages(page).nth(3).getByText('For the other', { exact: true }).waitFor();
  expect(await messages(page).count()).toBe(4);
  goOn();
  await messages(page).nth(5).getByText('For you.').waitFor();
  expect(await messages(page).nth(4).textContent()).toContain('And I?');
  expect(await messages(page).count()).toBe(6);
  expect(complaints).toEqual([]);
});

inBrowser('an edited message is not lost if another one was sent first', async () => {
  const { home, taskId, page, complaints } = await ownerAtTask({}, say('Yes.'));
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const field = page.getByLabel('Edit your message');
  await page.locator('textarea:focus').waitFor();
  await field.fill('Begin otherwise');
  const { isHeld, release } = await holdNext(page);
  await page.getByRole('button', { name: 'Send instead' }).click();
  await isHeld;
  const goOn = await otherTurn(home, taskId);
  release();
  await page.getByText('It cannot be sent now').waitFor();
  expect(await field.inputValue()).toBe('Begin otherwise');
  expect(await page.getByRole('button', { name: 'Send instead' }).isDisabled()).toBe(true);
  await expectAccessible(page);
  goOn();
  await messages(page).nth(3).getByText('For the other one.').waitFor();
  expect(await field.inputValue()).toBe('Begin otherwise');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  expect(await messages(page).first().textContent()).toContain('Begin');
  expect(complaints).toEqual([]);
});

/** The user denies a call that somebody else approved before. The resumed turn ends with `goOn`. */
async function deniedTooLate(page: Page, home: AgentHome, taskId: string) {
  const [, { parts }] = await home.messages(taskId);
  const approvalId = parts.find((part: { approval?: object }) => part.approval !== undefined).approval.id;
  const { isHeld, release } = await holdNext(page);
  await page.getByRole('button', { name: 'Deny' }).click();
  await isHeld;
  const { after, goOn } = gate();
  home.provider.answer([...say('It is'), { after }, ...say(' done.')]);
  const answer = { type: 'tool-approval-response', approvalId, approved: true };
  await home.stream(taskId, { message: { role: 'assistant', parts: [answer] } });
  release();
  return goOn;
}

inBrowser('an answer to an approval reports that somebody else has answered differently', async () => {
  const { home, taskId, page, complaints } = await ownerAtTask(asking, callTools(call('c1', 7)));
  const goOn = await deniedTooLate(page, home, taskId);
  await page.getByText('Somebody else answered before you, so their answer counts.').waitFor();
  goOn();
  await page.getByText('It is done.').waitFor();
  await page.getByRole('group', { name: 'testing_succeed' }).getByText('Done', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

inBrowser('each of several approvals shows its answer, which can be changed until all are answered', async () => {
  const { home, taskId, page, complaints } = await ownerAtTask(asking, callTools(call('c1', 7), call('c2', 8)));
  home.provider.answer(say('One was done.'));
  const card = (at: number) => page.getByRole('group', { name: 'testing_succeed' }).nth(at);
  await card(0).getByRole('button', { name: 'Approve' }).click();
  await card(0).getByText('You approve it. Waits for your answer to 1 other call.').waitFor();
  await card(0).getByText('Answered', { exact: true }).waitFor();
  await expectAccessible(page);
  await page.reload();
  await card(0).getByText('You approve it. Waits for your answer to 1 other call.').waitFor();
  await card(0).getByRole('button', { name: 'Change your answer' }).click();
  await card(0).getByText('Asks you').waitFor();
  await page.locator('button:focus').waitFor();
  await card(0).getByRole('button', { name: 'Deny' }).click();
  await card(0).getByText('You deny it.').waitFor();
  await card(1).getByRole('button', { name: 'Approve' }).click();
  await page.getByText('One was done.').waitFor();
  // The page has loaded the stored messages.
  await page.getByRole('button', { name: 'Answer again' }).waitFor();
  const [, { parts }] = await home.messages(taskId);
  const states = parts.map(({ state }: { state?: string }) => state).filter(Boolean);
  expect(states).toEqual(['output-denied', 'output-available', 'done']);
  expect(complaints).toEqual([]);
});

inBrowser('answers chosen in the inbox for some calls survive a reload, with their reasons', async () => {
  const { home, taskId, page, complaints } = await ownerAtTask(asking, callTools(call('c1', 7), call('c2', 8)));
  home.provider.answer(say('One was done.'));
  await page.goto(new URL(`/console/inbox?approval=${taskId}`, home.url).href);
  const decision = (at: number) => page.getByRole('group', { name: 'Decision about Testing: Succeed' }).nth(at);
  await decision(0).getByRole('button', { name: 'Deny' }).click();
  await decision(0).getByLabel('Reason (optional)').fill('too much');
  await page.reload();
  await decision(0).getByRole('button', { name: 'Deny', pressed: true }).waitFor();
  expect(await decision(0).getByLabel('Reason (optional)').inputValue()).toBe('too much');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('Decide every call first.').waitFor();
  await decision(1).getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('No agent is waiting for an approval.').waitFor();
  await home.untilTurn(taskId, ({ status }) => status === 'COMPLETED');
  const [, { parts }] = await home.messages(taskId);
  expect(parts).toMatchObject([
    ...[{}, { state: 'output-denied', approval: { reason: 'too much' } }],
    ...[{ state: 'output-available' }, {}, {}],
  ]);
  expect(await page.evaluate(`Object.keys(localStorage).filter((key) => key.includes('/answers/'))`)).toEqual([]);
  expect(complaints).toEqual([]);
});

inBrowser('a queued message of a closed tab is shown as unsent when the task is opened again', async () => {
  const { home, page, complaints } = await ownerAtTask({}, say('Yes.'));
  const { after, goOn } = gate();
  home.provider.answer([...say('A long'), { after }, ...say(' answer.')], say('Here it is.'));
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  const write = async (text: string) => {
    await tab.getByRole('textbox', { name: 'Message' }).fill(text);
    await tab.keyboard.press('Enter');
  };
  await write('Say much');
  await messages(tab).nth(3).getByText('A long', { exact: true }).waitFor();
  await write('And this?');
  await tab.getByRole('list', { name: 'Send after this turn' }).getByText('And this?').waitFor();
  await tab.getByText('Keep this tab open.').waitFor();
  // Messages of an open tab are not offered.
  await page.reload();
  await messages(page).nth(3).getByText('A long', { exact: true }).waitFor();
  await tab.close();
  expect(await page.getByText('And this?').count()).toBe(0);
  await page.reload();
  const left = page.getByRole('list', { name: 'Send after this turn' }).getByRole('listitem');
  await left.getByText('Not sent').waitFor();
  expect(await left.textContent()).toContain('And this?');
  await left.getByRole('button', { name: 'Send again' }).click();
  goOn();
  await messages(page).nth(5).getByText('Here it is.').waitFor();
  expect(await messages(page).nth(4).textContent()).toContain('And this?');
  await left.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

inBrowser('the inbox does not report success if somebody else has answered before', async () => {
  const { home, taskId, page, complaints } = await ownerAtTask(asking, callTools(call('c1', 7)));
  await page.goto(new URL(`/console/inbox?approval=${taskId}`, home.url).href);
  const goOn = await deniedTooLate(page, home, taskId);
  await page.getByRole('alert').getByText('This was already answered, or the agent was stopped.').waitFor();
  goOn();
  await home.untilTurn(taskId, ({ status }) => status === 'COMPLETED');
  expect(await page.getByRole('status').getByText('Answered. The agent continues.').count()).toBe(0);
  expect(complaints).toEqual([]);
});

inBrowser('a queued message is sent at the end of the turn, even from another page of the tab', async () => {
  const { home, taskId, page, complaints } = await ownerAtTask({}, say('Yes.'));
  const { after, goOn } = gate();
  home.provider.answer([...say('First'), { after }, ...say(' one.')], say('For the second.'), say('For the third.'));
  const write = async (text: string) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text);
    await page.keyboard.press('Enter');
  };
  await write('One');
  await messages(page).nth(3).getByText('First').waitFor();
  await write('Two');
  await write('Three');
  await page.getByRole('list', { name: 'Send after this turn' }).getByText('Three').waitFor();
  await page.getByRole('link', { name: 'Executions' }).click();
  await page.getByRole('heading', { name: 'Executions' }).waitFor();
  // Unsent messages survive a reload, even on another page.
  await page.reload();
  await page.getByRole('heading', { name: 'Executions' }).waitFor();
  goOn();
  await home.provider.request(4);
  await page.goto(new URL(`/console/agents/${home.agentId}/tasks/${taskId}`, home.url).href);
  await messages(page).nth(7).getByText('For the third.').waitFor();
  expect(await messages(page).count()).toBe(8);
  const texts = await messages(page).allTextContents();
  expect(['One', 'Two', 'Three'].map((text, at) => texts[2 + 2 * at]?.includes(text))).toEqual([true, true, true]);
  expect(await page.getByRole('list', { name: 'Send after this turn' }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

inBrowser('a queued message does not deny a pending approval from another page', async () => {
  const { home, taskId, page, complaints } = await ownerAtTask(asking, say('Yes.'));
  const { after, goOn } = gate();
  home.provider.answer([...say('I try.'), { after }, ...callTools(call('c1', 1))], say('Done.'), say('And that.'));
  await page.getByRole('textbox', { name: 'Message' }).fill('Do it');
  await page.keyboard.press('Enter');
  await messages(page).nth(3).getByText('I try.').waitFor();
  await page.getByRole('textbox', { name: 'Message' }).fill('And this');
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Send after this turn' }).getByText('And this').waitFor();
  await page.getByRole('link', { name: /^Inbox/ }).click();
  goOn();
  const approvals = page.getByRole('list', { name: 'Approvals' });
  await approvals.getByRole('listitem').first().waitFor();
  await approvals.getByRole('link').or(approvals.getByRole('button')).first().click();
  await page.getByRole('button', { name: 'Approve' }).click();
  await home.provider.request(4);
  await page.goto(new URL(`/console/agents/${home.agentId}/tasks/${taskId}`, home.url).href);
  await messages(page).nth(5).getByText('And that.').waitFor();
  expect(await messages(page).nth(4).textContent()).toContain('And this');
  expect(await messages(page).nth(3).textContent()).not.toContain('Denied');
  expect(complaints).toEqual([]);
});
