import type { Page } from 'playwright-core';

/** The parts of the workflow editor. */
export const node = (page: Page, name: string | RegExp) => page.locator('.react-flow__node', { hasText: name });
export const form = (page: Page) => page.getByRole('region', { name: 'Form', exact: true });
export const problems = (page: Page) => page.getByRole('region', { name: 'Problems' });

/** Writes into a field of the form in place of what stands there. */
export async function write(page: Page, label: string, text: string): Promise<void> {
  await form(page).getByRole('textbox', { name: label, exact: true }).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}
