// test: long
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import { logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { gate } from '../setup/jest/gate.ts';
import { say } from '../setup/providers/modelScript.ts';
import { type AgentHome, agentHomeOn, userMessage } from '../setup/workspace/agentHome.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { confirmed, newMember } from '../setup/workspace/people.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

async function ownerAt(path: (home: AgentHome) => string, settings: object = {}) {
  const { home: bare, owner } = await homeWithOwner();
  const home = await agentHomeOn(bare, stackDatabase(), settings);
  const { page, complaints } = await openConsole(home.url, `/console/agents/${home.agentId}${path(home)}`);
  return { home, page, complaints, logIn: () => logInThere(page, owner) };
}

async function write(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

const messages = (page: Page) => page.getByRole('list', { name: 'Conversation' }).getByRole('listitem');

/** Whether the first letter of the first text is further right than the last one. */
const beginsAtRight = (page: Page, selector: string) =>
  page.evaluate<boolean>(`(() => {
    const element = document.querySelector('${selector}');
    const node = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
    const leftOf = (at) => {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect().left;
    };
    return leftOf(0) > leftOf(node.data.length - 1);
  })()`);

inBrowser(
  'an Arabic text with an English word runs from right to left, and numbers in a table stay whole',
  async () => {
    const { home, page, complaints, logIn } = await ownerAt(() => '');
    const arabic = 'وصل الطلب order إلى العميل';
    const cells = Array.from({ length: 12 }, (_, at) => `${at + 1}1,200,000`);
    const row = (texts: string[]) => `| ${texts.join(' | ')} |`;
    home.provider.answer(
      say(`${arabic}\n\n${row(cells.map((_, at) => `Column ${at}`))}\n${row(cells.map(() => '---'))}\n${row(cells)}\n`),
    );
    await logIn();
    await write(page, arabic);
    await messages(page).nth(1).getByRole('cell', { name: '11,200,000', exact: true }).waitFor();
    expect([await beginsAtRight(page, '.messages .plain'), await beginsAtRight(page, '.messages .markdown p')]).toEqual(
      [true, true],
    );
    const lines = await page.evaluate<number>(`(() => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector('.messages td'));
    return range.getClientRects().length;
  })()`);
    expect(lines).toBe(1);
    expect(complaints).toEqual([]);
  },
);

inBrowser('shows that an answer has no text', async () => {
  const { home, page, complaints, logIn } = await ownerAt(() => '');
  home.provider.answer([{ finish: 'stop' }]);
  await logIn();
  await write(page, 'Say nothing');
  await page.getByText('The model ended its turn without a text.').waitFor();
  expect(complaints).toEqual([]);
});

inBrowser('a page at its end follows the answer until its reader scrolls up', async () => {
  const { home, page, complaints, logIn } = await ownerAt(() => '');
  const { after, goOn } = gate();
  home.provider.answer([...say('- a line\n'.repeat(60)), { after }, { finish: 'stop' }]);
  await logIn();
  await write(page, 'Say much');
  await messages(page).nth(1).getByText('a line').last().waitFor();
  // Grow the content between the frame that scrolls to the end and the frame that notices the scroll.
  const gap = await page.evaluate<number>(`(async () => {
    const frame = () => new Promise((seen) => requestAnimationFrame(seen));
    const task = () =>
      new Promise((ran) => {
        const { port1, port2 } = new MessageChannel();
        port2.onmessage = ran;
        port1.postMessage(0);
      });
    const grow = (px) => {
      document.querySelector('.messages').style.paddingBottom = px + 'px';
    };
    await frame();
    grow(60);
    await task();
    grow(500);
    for (let count = 0; count < 3; count += 1) await frame();
    return document.documentElement.scrollHeight - innerHeight - scrollY;
  })()`);
  expect(Math.round(gap)).toBeLessThanOrEqual(1);
  await page.mouse.wheel(0, -600);
  await page.getByRole('button', { name: 'To the newest message' }).waitFor();
  goOn();
  await page.getByRole('button', { name: 'Answer again' }).waitFor();
  expect(await page.getByRole('button', { name: 'To the newest message' }).count()).toBe(1);
  expect(complaints).toEqual([]);
});

inBrowser('the last message is written again with the file that came with it', async () => {
  const taskId = `task-${crypto.randomUUID().slice(0, 8)}`;
  const { home, page, complaints, logIn } = await ownerAt(() => `/tasks/${taskId}`);
  home.provider.answer(say('A red dot.'), say('A small red dot.'));
  const file = {
    type: 'file',
    mediaType: 'image/png',
    filename: 'dot.png',
    url: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  };
  const { parts, ...message } = userMessage('What is this?', crypto.randomUUID());
  const sent = await home.api('POST', `/api/agents/${home.agentId}/tasks/${taskId}/message`, {
    body: { message: { ...message, parts: [...parts, file] } },
  });
  expect(sent.status).toBe(200);
  await logIn();
  await messages(page).first().getByRole('img', { name: 'dot.png' }).waitFor();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Edit your message').fill('How large is this?');
  await page.getByRole('button', { name: 'Send instead' }).click();
  await messages(page).nth(1).getByText('A small red dot.').waitFor();
  await messages(page).first().getByRole('img', { name: 'dot.png' }).waitFor();
  expect((await home.messages(taskId))[0]?.parts).toMatchObject([{ type: 'text', text: 'How large is this?' }, file]);
  expect(complaints).toEqual([]);
});

inBrowser('an unsent message stays in its place, for its author only, until it is sent', async () => {
  const { home: bare, owner } = await homeWithOwner();
  const home = await agentHomeOn(bare, stackDatabase());
  const otherId = await home.agent();
  const member = await confirmed(await newMember(home, 'builder'));
  home.provider.answer(say('Yes.'), say('Yes again.'));
  const { page, complaints } = await openConsole(home.url, `/console/agents/${home.agentId}`);
  const field = page.getByRole('textbox', { name: 'Message' });
  const goTo = async (path: string) => {
    await page.goto(new URL(path, home.url).href);
    await field.waitFor();
  };
  const leave = async (name: RegExp) => {
    await page.getByRole('button', { name }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByLabel('E-mail').waitFor();
  };
  await logInThere(page, owner);
  await field.fill('The beginning of');
  await goTo(`/console/agents/${otherId}`);
  expect(await field.inputValue()).toBe('');
  await field.fill('For the other');
  await goTo(`/console/agents/${home.agentId}`);
  expect(await field.inputValue()).toBe('The beginning of');
  await page.reload();
  await field.press('End');
  await field.pressSequentially(' a task');
  await field.press('Enter');
  await messages(page).nth(1).getByText('Yes.').waitFor();
  expect(await field.inputValue()).toBe('');
  const task = new URL(page.url()).pathname;
  await field.fill('More of it');
  // Another tab shows the same draft, and sending it there clears it here.
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  const there = tab.getByRole('textbox', { name: 'Message' });
  await there.waitFor();
  expect(await there.inputValue()).toBe('More of it');
  await there.press('Enter');
  await messages(page).nth(3).getByText('Yes again.').waitFor();
  expect(await field.inputValue()).toBe('');
  await tab.close();
  await field.fill('Mine alone');
  await leave(/owner-/);
  await logInThere(page, member);
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  for (const place of [`/console/agents/${otherId}`, task]) {
    await goTo(place);
    expect(await field.inputValue()).toBe('');
  }
  await leave(/builder/);
  await logInThere(page, owner);
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  await goTo(task);
  expect(await field.inputValue()).toBe('Mine alone');
  expect(complaints).toEqual([]);
});

inBrowser('shows each of several files in a line of its own, with a descriptive name', async () => {
  const taskId = `task-${crypto.randomUUID().slice(0, 8)}`;
  const { home, page, complaints, logIn } = await ownerAt(() => `/tasks/${taskId}`);
  home.provider.answer(say('Thanks.'));
  const names = [`a "quoted" <b>'name'.txt`, 'تقرير \u202Egnp.exe', 'x'.repeat(200), '📄 last'];
  const url = 'data:text/plain;base64,aGVsbG8=';
  const files = names.map((filename) => ({ type: 'file', mediaType: 'text/plain', filename, url }));
  const { parts, ...message } = userMessage('Look at these', crypto.randomUUID());
  const sent = await home.api('POST', `/api/agents/${home.agentId}/tasks/${taskId}/message`, {
    body: { message: { ...message, parts: [...parts, ...files] } },
  });
  expect(sent.status).toBe(200);
  await logIn();
  const links = messages(page).first().getByRole('link');
  await links.last().waitFor();
  expect(await links.allTextContents()).toEqual(names.map((name) => `File ${name.replace('\u202E', '')}`));
  expect(await links.nth(1).getAttribute('download')).toBe('تقرير gnp.exe');
  const bubble = await messages(page).first().boundingBox();
  const boxes = await Promise.all((await links.all()).map((link) => link.boundingBox()));
  for (const [at, box] of boxes.entries()) {
    const { x = 0, y = 0, width = 0 } = box ?? {};
    expect(x + width).toBeLessThanOrEqual((bubble?.x ?? 0) + (bubble?.width ?? 0));
    const above = boxes[at - 1];
    if (above != null) expect(y).toBeGreaterThanOrEqual(above.y + above.height - 1);
  }
  expect(complaints).toEqual([]);
});
