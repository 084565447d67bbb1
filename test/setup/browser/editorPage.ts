import type { Page } from 'playwright-core';
import { poll } from '../jest/poll.ts';

export const node = (page: Page, name: string | RegExp) => page.locator('.react-flow__node', { hasText: name });
export const form = (page: Page) => page.getByRole('region', { name: 'Form', exact: true });
export const problems = (page: Page) => page.getByRole('region', { name: 'Problems' });

export async function write(page: Page, label: string, text: string): Promise<void> {
  await form(page).getByRole('textbox', { name: label, exact: true }).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** Whether this node is horizontally within the canvas. */
export async function isInGraph(page: Page, name: string): Promise<boolean> {
  const [inner, outer] = await Promise.all(
    [node(page, name).first(), page.locator('.editor-canvas')].map((one) => one.boundingBox()),
  );
  if (inner == null || outer == null) return false;
  return inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width;
}

export async function add(page: Page, action: string, name: string, behind?: string): Promise<void> {
  if (behind !== undefined) {
    await page.getByRole('button', { name: 'Fit', exact: true }).click();
    await poll(() => isInGraph(page, behind)).toBe(true);
    await node(page, behind)
      .first()
      .click({ position: { x: 20, y: 8 } });
    await form(page).getByRole('heading', { name: behind }).waitFor();
    await form(page).getByRole('button', { name: 'Add after', exact: true }).click();
    await page.getByText(`Goes after “${behind}”.`).waitFor();
  }
  await page.locator('.editor-palette').getByRole('button', { name: action, exact: true }).first().click();
  await form(page).getByRole('heading', { name: action }).waitFor();
  await form(page).getByRole('textbox', { name: 'Name', exact: true }).fill(name);
}

/** Adds a field of the trigger or of a question: the label of the new field has the focus. */
export async function addField(page: Page, key: string, type: string): Promise<void> {
  await form(page).getByRole('button', { name: 'Add a field' }).click();
  await form(page).getByRole('textbox', { name: 'Label' }).last().and(page.locator(':focus')).waitFor();
  await form(page).getByRole('textbox', { name: 'Key' }).last().fill(key);
  await form(page).getByLabel('Type').last().selectOption(type);
}

const FOCUSED_NAME = `(() => {
  const at = document.activeElement;
  const own = at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent ?? '';
  return own.replace(/\\s*\\*$/, '').trim();
})()`;

/** Presses Tab until an element with this name has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(FOCUSED_NAME);
    if (found === name) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
}

/** Adds a row to an object; `object` selects one of several. The new row has the focus, its name selected. */
export async function addValue(page: Page, name: string, value: string, object?: string): Promise<void> {
  const rows = object === undefined ? form(page) : form(page).getByRole('group', { name: object, exact: true });
  await rows.getByRole('button', { name: 'Add a value' }).click();
  await rows
    .getByRole('textbox', { name: /^Name \d/ })
    .last()
    .and(page.locator(':focus'))
    .waitFor();
  await page.keyboard.insertText(name);
  await write(page, `Value of ${name}`, value);
}
