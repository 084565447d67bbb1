// test: long
import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { gate } from '../setup/jest/gate.ts';
import { say } from '../setup/providers/modelScript.ts';
import { agentHomeOn } from '../setup/workspace/agentHome.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

async function ownerAtAgent() {
  const { home: bare, owner } = await homeWithOwner();
  const home = await agentHomeOn(bare, stackDatabase(), {});
  const { page, complaints } = await openConsole(home.url, `/console/agents/${home.agentId}`);
  await logInThere(page, owner);
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  /** Returns the user message that the model received in its n-th call. */
  const asked = async (count: number) => {
    const { body } = await home.provider.request(count);
    return body.messages.findLast(({ role }) => role === 'user')?.content;
  };
  return { home, page, complaints, asked };
}

interface Chosen {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

const textFile = (name: string, mimeType: string, text: string): Chosen => ({
  ...{ name, mimeType, buffer: Buffer.from(text) },
});

async function attach(page: Page, ...files: Chosen[]): Promise<void> {
  const opened = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (await opened).setFiles(files);
}

/** Pastes or drops a file on an element. */
async function give(page: Page, event: 'paste' | 'drop', on: string, name: string, text: string): Promise<void> {
  await page.evaluate(`(() => {
    const data = new DataTransfer();
    data.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}, { type: 'text/plain' }));
    const how = { bubbles: true, cancelable: true };
    document.querySelector(${JSON.stringify(on)}).dispatchEvent(
      ${JSON.stringify(event)} === 'paste'
        ? new ClipboardEvent('paste', { ...how, clipboardData: data })
        : new DragEvent('drop', { ...how, dataTransfer: data }),
    );
  })()`);
}

/** Makes an incompressible picture of random dots, as PNG. */
function photo(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // 8 bits of grey per dot.
  head.set([8, 0, 0, 0, 0], 8);
  const dots = randomBytes((width + 1) * height);
  // Each row starts with its filter byte: none.
  for (let row = 0; row < height; row += 1) dots[row * (width + 1)] = 0;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    ...[signature, chunk('IHDR', head), chunk('IDAT', deflateSync(dots)), chunk('IEND', Buffer.alloc(0))],
  ]);
}

const attached = (page: Page) => page.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
const messages = (page: Page) => page.getByRole('list', { name: 'Conversation' }).getByRole('listitem');

inBrowser('sends files in a form that the model accepts, and reports files that it does not', async () => {
  const { home, page, complaints, asked } = await ownerAtAgent();
  home.provider.answer(say('I have read them.'));
  await attach(
    page,
    textFile('notes.md', 'text/markdown', '# Refund'),
    textFile('order.json', 'application/json', '{"total": 5}'),
    { name: 'all.zip', mimeType: 'application/zip', buffer: Buffer.from([0x50, 0x4b, 0, 0xff]) },
    { name: 'damage.png', mimeType: 'image/png', buffer: photo(2_400, 300) },
    textFile('wrong.txt', 'text/plain', 'not this'),
    textFile('log.txt', 'text/plain', 'x'.repeat(800_000)),
  );
  await page.getByText('“all.zip” was not attached: an agent reads pictures, PDF and text.').waitFor();
  await page.getByText('“log.txt” was not attached: the files of a message may total about 650 kB.').waitFor();
  await page.getByRole('button', { name: 'Remove wrong.txt' }).click();
  expect(await attached(page).allTextContents()).toEqual(['notes.md', 'order.json', 'damage.png']);
  await expectAccessible(page);
  await give(page, 'paste', '.composer textarea', 'pasted.txt', 'from the clipboard');
  await attached(page).nth(3).waitFor();
  await give(page, 'drop', 'h1', 'dropped.txt', 'from the desk');
  await attached(page).nth(4).waitFor();
  await page.getByRole('textbox', { name: 'Message' }).fill('What is wrong?');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await messages(page).nth(1).getByText('I have read them.').waitFor();
  expect(await asked(1)).toEqual([
    { type: 'text', text: 'What is wrong?' },
    { type: 'text', text: 'notes.md:\n# Refund' },
    { type: 'text', text: 'order.json:\n{"total": 5}' },
    // A phone's picture is larger than a message may be, so it is scaled down.
    { type: 'image_url', image_url: { url: expect.stringMatching(/^data:image\/jpeg;base64,/) } },
    { type: 'text', text: 'pasted.txt:\nfrom the clipboard' },
    { type: 'text', text: 'dropped.txt:\nfrom the desk' },
  ]);
  expect(await attached(page).count()).toBe(0);
  await messages(page).nth(0).getByRole('img', { name: 'damage.png' }).waitFor();
  const width = `document.querySelector('.picture').decode().then(() => document.querySelector('.picture').naturalWidth)`;
  expect(await page.evaluate<number>(width)).toBe(1_600);
  await messages(page).nth(0).getByRole('link', { name: 'File notes.md' }).waitFor();
  expect(complaints).toEqual([]);
});

inBrowser('files survive navigation, wait for the end of a turn, and need no text', async () => {
  const { home, page, complaints, asked } = await ownerAtAgent();
  const { after, goOn } = gate();
  home.provider.answer([...say('One '), { after }, ...say('moment.')], say('Both.'));
  await attach(page, textFile('first.txt', 'text/plain', 'one'));
  await attached(page).waitFor();
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  await page.goBack();
  await attached(page).filter({ hasText: 'first.txt' }).waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await messages(page).nth(1).getByText('One').waitFor();
  expect(await asked(1)).toBe('first.txt:\none');

  await attach(page, textFile('second.txt', 'text/plain', 'two'));
  await attached(page).waitFor();
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
  const waiting = page.getByRole('list', { name: 'Send after this turn' });
  await waiting.getByText('second.txt').waitFor();
  await waiting.getByRole('button', { name: 'Cancel “second.txt”' }).waitFor();
  goOn();
  await messages(page).nth(3).getByText('Both.').waitFor();
  expect(await asked(2)).toBe('second.txt:\ntwo');
  await waiting.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

inBrowser('files of a draft or a queued message survive a reload', async () => {
  const { home, page, complaints, asked } = await ownerAtAgent();
  const { after, goOn } = gate();
  home.provider.answer([...say('One '), { after }, ...say('moment.')], say('Both.'));
  await attach(page, textFile('first.txt', 'text/plain', 'one'), textFile('other.txt', 'text/plain', 'more'));
  await attached(page).nth(1).waitFor();
  await page.reload();
  await attached(page).filter({ hasText: 'first.txt' }).waitFor();
  const beside = await page.context().newPage();
  await beside.goto(page.url());
  await attached(beside).nth(1).waitFor();
  await beside.getByRole('button', { name: 'Remove other.txt' }).click();
  await attached(page).nth(1).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await messages(page).nth(1).getByText('One').waitFor();
  expect(await asked(1)).toBe('first.txt:\none');
  await attached(beside).waitFor({ state: 'detached' });
  await beside.close();

  await attach(page, textFile('second.txt', 'text/plain', 'two'));
  await attached(page).waitFor();
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
  const waiting = page.getByRole('list', { name: 'Send after this turn' });
  await waiting.getByText('second.txt').waitFor();
  await page.reload();
  await waiting.getByText('second.txt').waitFor();
  goOn();
  await messages(page).nth(3).getByText('Both.').waitFor();
  expect(await asked(2)).toBe('second.txt:\ntwo');
  expect(complaints).toEqual([]);
});

inBrowser('a queued message with files of a closed tab appears in the next tab', async () => {
  const { home, page, asked } = await ownerAtAgent();
  const { after, goOn } = gate();
  home.provider.answer([...say('One '), { after }, ...say('moment.')], say('Seen.'));
  await page.getByRole('textbox', { name: 'Message' }).fill('Wait');
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
  await messages(page).nth(1).getByText('One').waitFor();
  await attach(page, textFile('scan.txt', 'text/plain', 'all of it'));
  await attached(page).waitFor();
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
  await page.getByRole('list', { name: 'Send after this turn' }).getByText('scan.txt').waitFor();
  const next = await page.context().newPage();
  const url = page.url();
  await page.close();
  await next.goto(url);
  const left = next
    .getByRole('list', { name: 'Send after this turn' })
    .getByRole('listitem')
    .filter({ hasText: 'scan.txt' });
  await left.getByText('Not sent').waitFor();
  await left.getByRole('button', { name: 'Send again' }).click();
  goOn();
  await messages(next).nth(3).getByText('Seen.').waitFor();
  expect(await asked(2)).toBe('scan.txt:\nall of it');
});
