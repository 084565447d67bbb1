import { expect, test } from '@jest/globals';
import { type ChatPage, openChatPage } from '../setup/browser/chatPage.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, makeAgentHome, tool } from '../setup/workspace/agentHome.ts';

// A page with React's own `useChat` against the stack. turnWire.test.ts covers the chunks.

const taskOf = ({ agentId }: AgentHome) => `react-${agentId.slice(-8)}`;

const settled =
  (...messages: string[]) =>
  (page: ChatPage) =>
    page.status() === 'ready' && JSON.stringify(page.messages()) === JSON.stringify(messages);

function signal() {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { give, given };
}

test('useChat shows an answer while it comes, and sends the next message', async () => {
  const home = await makeAgentHome();
  const { give, given } = signal();
  home.provider.answer([...say('Hel'), { after: given }, ...say('lo')], say('Again.'));
  const page = openChatPage(home, { taskId: taskOf(home), text: 'Hi' });
  await page.until(settled());
  page.click('send');
  await page.until((shown) => shown.messages()[1] === 'assistant: Hel');
  expect(page.status()).toBe('streaming');
  give();
  await page.until(settled('user: Hi', 'assistant: Hello'));
  page.click('send');
  await page.until(settled('user: Hi', 'assistant: Hello', 'user: Hi', 'assistant: Again.'));
  expect(page.error()).toBe('');
  expect(home.provider.requests[1]?.body.messages.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'user',
  ]);
  page.close();
});

test.each([
  { button: 'approve', state: 'output-available' },
  { button: 'refuse', state: 'output-denied' },
])('useChat asks about a call and continues after $button', async ({ button, state }) => {
  const home = await makeAgentHome({ tools: [tool('testing', 'succeed', { policy: 'approve' })] as never });
  home.provider.answer(callTools({ id: 'c1', name: 'testing_succeed', arguments: { output: 7 } }), say('Well.'));
  const page = openChatPage(home, { taskId: taskOf(home), text: 'Do it' });
  await page.until(settled());
  page.click('send');
  await page.until(settled('user: Do it', 'assistant: [testing_succeed approval-requested]'));
  expect(await home.turn(taskOf(home))).toMatchObject({ status: 'NEEDS_APPROVAL' });
  page.click(button);
  await page.until(settled('user: Do it', `assistant: [testing_succeed ${state}]Well.`));
  expect(await home.turn(taskOf(home))).toMatchObject({ number: 2, status: 'COMPLETED' });
  expect(await home.messages(taskOf(home))).toHaveLength(2);
  page.close();
});

test('a stopped useChat no longer listens; the reopened page resumes the turn', async () => {
  const home = await makeAgentHome();
  const { give, given } = signal();
  home.provider.answer([...say('Hel'), { after: given }, ...say('lo')]);
  const page = openChatPage(home, { taskId: taskOf(home), text: 'Hi' });
  await page.until(settled());
  page.click('send');
  await page.until((shown) => shown.messages()[1] === 'assistant: Hel');
  page.click('stop');
  await page.until(settled('user: Hi', 'assistant: Hel'));
  page.close();
  const [before] = await home.messages(taskOf(home));
  const again = openChatPage(home, { taskId: taskOf(home), resume: true, before: [before] });
  await again.until((shown) => shown.messages()[1] === 'assistant: Hel');
  give();
  await again.until(settled('user: Hi', 'assistant: Hello'));
  expect(await home.turn(taskOf(home))).toMatchObject({ number: 1, status: 'COMPLETED' });
  again.close();
});

test('a turn that the API stops ends in useChat with what came', async () => {
  const home = await makeAgentHome();
  home.provider.answer([...say('Hel'), { hang: true }]);
  const page = openChatPage(home, { taskId: taskOf(home), text: 'Hi' });
  await page.until(settled());
  page.click('send');
  await page.until((shown) => shown.messages()[1] === 'assistant: Hel');
  expect((await home.stop(taskOf(home))).body).toEqual({ stopped: true });
  await page.until(settled('user: Hi', 'assistant: Hel'));
  expect(page.error()).toBe('');
  expect(await home.turn(taskOf(home))).toMatchObject({ status: 'STOPPED' });
  page.close();
});

test('useChat shows why a turn failed', async () => {
  const home = await makeAgentHome();
  home.provider.answer([{ status: 400, error: { message: 'No such model.' } }]);
  const page = openChatPage(home, { taskId: taskOf(home), text: 'Hi' });
  await page.until(settled());
  page.click('send');
  await page.until((shown) => shown.status() === 'error');
  expect(page.error()).toMatch(/^The turn failed: PROVIDER_STATUS \(the model provider failed or rejected/);
  page.close();
});
