import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  ALL_VIEWS_MS,
  expectAccessible,
  expectAccessibleInAll,
  logInThere,
  openConsole,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { type Home, homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

async function handbook(home: Home): Promise<string> {
  const { body } = await home.api('POST', '/api/knowledge', { body: { name: 'Handbook', embeddingProvider: 'local' } });
  for (const [name, text] of [
    ['Refunds', 'Refunds are paid within five days after the goods have come back.'],
    ['Parking', 'Cars of visitors stand behind the house.'],
  ]) {
    const upload = { name, text, metadata: { topic: String(name).toLowerCase() } };
    const saved = await home.api('POST', `/api/knowledge/${body.id}/saveUploadedText`, { body: upload });
    expect(saved.status).toBe(201);
  }
  return body.id;
}

inBrowser('a base is made, gets a file and a pasted text, and what is no text is refused with its reason', async () => {
  const { home, owner } = await homeWithOwner();
  const { page, complaints } = await openConsole(home.url, '/console/knowledge');
  await logInThere(page, owner);
  await page.getByText('No knowledge bases yet.').waitFor();
  await page.getByRole('button', { name: 'New knowledge base' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Handbook');
  await dialog.getByRole('radio', { name: /^Local/ }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Handbook' }).waitFor();
  await page.getByText('No documents yet.').waitFor();
  await page.locator('input[type=file]').setInputFiles([
    {
      name: 'refunds.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Refunds\n\nRefunds are paid within five days.'),
    },
    { name: 'picture.txt', mimeType: 'text/plain', buffer: Buffer.from([0xff, 0xd8, 0xff, 0x00]) },
  ]);
  const uploads = page.getByRole('status', { name: 'Uploads' });
  await uploads.getByText('This is not a text file').waitFor();
  await page.getByRole('button', { name: 'Paste a text' }).click();
  await page.getByLabel('Name').fill('Parking');
  await page.getByRole('textbox', { name: 'Text' }).fill('Cars of visitors stand behind the house.');
  await page.getByRole('button', { name: 'Store' }).click();
  const table = page.getByRole('table', { name: 'Documents' });
  await table.getByRole('link', { name: 'Parking' }).waitFor();
  await table.getByRole('link', { name: 'refunds.md' }).click();
  await page.getByRole('dialog').getByText('Refunds are paid within five days.').waitFor();
  await page.keyboard.press('Escape');
  await table.getByRole('button', { name: 'Delete Parking' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await table.getByRole('link', { name: 'Parking' }).waitFor({ state: 'detached' });
  await page.getByText('1 document, 1 part').waitFor();
  expect(complaints).toEqual([]);
});

inBrowser(
  'a question finds parts with their scores, in three ways side by side, and a hit leads into its document',
  async () => {
    const { home, owner } = await homeWithOwner();
    const id = await handbook(home);
    const { page, complaints } = await openConsole(home.url, `/console/knowledge/${id}?tab=search`);
    await logInThere(page, owner);
    await page.getByLabel('Question').fill('When do I get my money back?');
    await page.getByRole('button', { name: 'Search' }).click();
    const first = page.getByRole('listitem').filter({ hasText: 'Score' }).first();
    await first.getByText('Refunds are paid within five days').waitFor();
    await first.getByRole('link', { name: 'Refunds, part 1' }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('When do I get my money back?');
    await page.getByLabel('Metadata').fill('topic=parking');
    await page.getByRole('button', { name: 'Search' }).click();
    await first.getByText('Cars of visitors').waitFor();
    await page.getByLabel('Compare by').selectOption({ label: 'All three, side by side' });
    await page.getByRole('region', { name: 'Words', exact: true }).getByText('No hits.').waitFor();
    await page
      .getByRole('region', { name: 'Meaning', exact: true })
      .getByRole('link', { name: 'Parking, part 1' })
      .click();
    await page.getByRole('dialog').getByRole('region', { name: 'Part 1' }).waitFor();
    expect(complaints).toEqual([]);
  },
);

inBrowser(
  'questions are saved with the documents that answer them, and the share that each way finds is measured',
  async () => {
    const { home, owner } = await homeWithOwner();
    const id = await handbook(home);
    const { page, complaints } = await openConsole(home.url, `/console/knowledge/${id}?tab=recall`);
    await logInThere(page, owner);
    await page.getByText('No saved questions.').waitFor();
    await page.getByRole('tab', { name: 'Search' }).click();
    const dialog = page.getByRole('dialog');
    // Each question matches its own document by words; the second one expects the wrong document.
    for (const [question, expected] of [
      ['Where do visitors park their cars?', 'Parking'],
      ['When are refunds paid?', 'Parking'],
    ] as const) {
      await page.getByLabel('Question').fill(question);
      await page.keyboard.press('Enter');
      await page.getByRole('listitem').filter({ hasText: 'Score' }).first().waitFor();
      await page.getByRole('button', { name: 'Save question…' }).click();
      await dialog.getByText(question).waitFor();
      await dialog.getByRole('combobox', { name: 'Expected documents' }).click();
      await page.getByRole('option', { name: expected }).click();
      await page.keyboard.press('Escape');
      if (question.startsWith('When')) await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    await page.getByRole('tab', { name: 'Recall' }).click();
    const table = page.getByRole('table', { name: 'Saved questions' });
    await table.getByRole('link', { name: 'When are refunds paid?' }).waitFor();
    await page.getByLabel('Hits to consider').fill('1');
    await page.getByRole('button', { name: 'Measure' }).click();
    const recall = page.getByRole('region', { name: 'Recall@1' });
    await table
      .getByRole('row', { name: /When are/ })
      .getByText('Not in 1')
      .first()
      .waitFor();
    await table
      .getByRole('row', { name: /Where do/ })
      .getByText('Hit 1')
      .first()
      .waitFor();
    expect(await recall.getByText('50 %').count()).toBe(3);
    await expectAccessible(page);
    // Questions survive a reload; measurements do not.
    await page.reload();
    await table
      .getByRole('row', { name: /When are/ })
      .getByText('—')
      .first()
      .waitFor();
    await table.getByRole('button', { name: 'Delete the question “When are refunds paid?”' }).click();
    await table.getByRole('link', { name: 'When are refunds paid?' }).waitFor({ state: 'detached' });
    await table.getByRole('link', { name: 'Where do visitors park their cars?' }).click();
    await page
      .getByRole('region', { name: 'Words', exact: true })
      .getByRole('link', { name: 'Parking, part 1' })
      .waitFor();
    expect(complaints).toEqual([]);
  },
);

inBrowser('settings are saved, and not over those of somebody else', async () => {
  const { home, owner } = await homeWithOwner();
  const id = await handbook(home);
  const { page, complaints } = await openConsole(home.url, `/console/knowledge/${id}?tab=settings`);
  await logInThere(page, owner);
  await page.getByText('are fixed while there are documents').waitFor();
  await page.getByLabel('Name').fill('Handbook of 2026');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Handbook of 2026' }).waitFor();
  await home.api('PATCH', `/api/knowledge/${id}`, { body: { description: 'Of somebody else' } });
  await page.getByLabel('Name').fill('Handbook of 2027');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Load the latest version' }).click();
  await page.getByText('Of somebody else').first().waitFor();
  expect((await home.api('GET', `/api/knowledge/${id}`)).body.name).toBe('Handbook of 2026');
  await page.getByRole('button', { name: 'Delete knowledge base' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No knowledge bases yet.').waitFor();
  expect(complaints).toEqual([]);
});

inBrowser(
  'knowledge is accessible in light and dark, wide and narrow',
  async () => {
    const { home, owner } = await homeWithOwner();
    const id = await handbook(home);
    const { page, complaints } = await openConsole(home.url, '/console/knowledge');
    await logInThere(page, owner);
    await page.getByRole('link', { name: 'Handbook' }).waitFor();
    await expectAccessibleInAll(page);
    for (const [address, shown] of [
      ['', 'Refunds'],
      ['?tab=search&q=money+back&mode=all', 'Refunds, part 1'],
    ] as const) {
      await page.goto(new URL(`/console/knowledge/${id}${address}`, home.url).href);
      await page.getByRole('link', { name: shown, exact: true }).first().waitFor();
      await expectAccessibleInAll(page);
    }
    await page.goto(new URL(`/console/knowledge/${id}?tab=settings`, home.url).href);
    await page.getByRole('button', { name: 'Save' }).waitFor();
    await expectAccessibleInAll(page);
    expect(complaints).toEqual([]);
  },
  ALL_VIEWS_MS,
);
