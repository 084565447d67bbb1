// test: long
import { describe, expect } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { form, problems } from '../setup/browser/editorPage.ts';
import { poll } from '../setup/jest/poll.ts';
import { action, chain, control, manual } from '../setup/workspace/graph.ts';
import { type Home, homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

async function withCode(home: Home): Promise<string> {
  return home.deploy({
    ...{ slug: 'sums', managedByCode: false, name: 'Sums' },
    trigger: manual({ key: 'qty', label: 'Quantity', type: 'number', required: true }),
    nodes: [
      action('order', 'core.set', { values: { price: 12, lines: [{ sku: 'a' }] } }, { name: 'Order' }),
      action(
        'code',
        'code.javascript',
        { code: 'return input.price;', input: { order: '{{ steps.order.output }}', qty: '{{ trigger.qty }}' } },
        { name: 'Sum up' },
      ),
    ],
    edges: chain('order', 'code'),
  });
}

/** The text of a field that may still be plain. */
const written = (field: Locator) =>
  field.evaluate((at) => {
    const { value, textContent } = at as unknown as { value?: string; textContent: string };
    return value ?? textContent;
  });

describe('JavaScript', () => {
  inBrowser.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)(
    'is marked where it does not parse, completes the input and opens in full screen: %s, %i wide',
    async (scheme, width) => {
      const { home, owner } = await homeWithOwner();
      const id = await withCode(home);
      const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit?node=code`, {
        scheme,
        width,
      });
      await logInThere(page, owner);
      const code = form(page).getByRole('textbox', { name: 'Code', exact: true });
      await code.click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText('const total = 1;\nreturn total +;');
      await problems(page).getByText('the code does not parse').waitFor();
      await form(page).locator('.cm-gutter-lint .cm-lint-marker-error').waitFor();
      expect(await form(page).locator('.cm-lintRange-error').textContent()).toBe(';');
      // A chosen problem puts the cursor at its place.
      await page.keyboard.press('ControlOrMeta+Home');
      await problems(page)
        .getByRole('button', { name: /does not parse/ })
        .click();
      await code.and(page.locator(':focus')).waitFor();
      await page.keyboard.type('2');
      await poll(() => code.textContent()).toContain('return total +2;');
      await page.keyboard.press('Backspace');
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.press('Backspace');
      // The members come from the inputs, without any execution.
      await page.keyboard.type(' input.');
      const list = page.getByRole('listbox');
      await list.getByRole('option', { name: 'order', exact: true }).waitFor();
      await page.keyboard.type('ord');
      await list.getByRole('option', { name: 'order', exact: true }).click();
      await poll(() => code.textContent()).toContain('input.order');
      await page.keyboard.type('.pri');
      await list.getByRole('option', { name: 'price', selected: true }).waitFor();
      // Escape closes the list and stays in the field.
      await page.keyboard.press('Escape');
      await list.waitFor({ state: 'detached' });
      await page.keyboard.type('ce;');
      await problems(page).getByText('No problems.').waitFor();
      await expectAccessible(page);

      const field = form(page).locator('[data-field="inputs.code"]');
      await field.getByRole('button', { name: 'Full screen' }).click();
      const dialog = page.getByRole('dialog', { name: 'Code' });
      await dialog.getByRole('textbox', { name: 'Code', exact: true }).and(page.locator(':focus')).waitFor();
      expect((await dialog.boundingBox())?.width).toBeGreaterThan(width * 0.95);
      await expectAccessible(page);
      await page.keyboard.type(' // sum');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await field.getByRole('button', { name: 'Full screen' }).and(page.locator(':focus')).waitFor();
      expect(await code.textContent()).toContain('return total + input.order.price; // sum');
      expect(complaints).toEqual([]);
    },
  );

  inBrowser('an expression completes in full screen, too', async () => {
    const { home, owner } = await homeWithOwner();
    const id = await withCode(home);
    const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit?node=code`);
    await logInThere(page, owner);
    const limit = form(page).locator('[data-field="inputs.timeoutMs"]');
    await limit.getByRole('button', { name: 'Full screen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Time limit' });
    const text = dialog.getByRole('textbox', { name: 'Time limit' });
    await text.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('{{ qty');
    await page.getByRole('option', { name: 'trigger.qty' }).click();
    await poll(() => text.textContent()).toBe('{{ trigger.qty}}');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await poll(() => limit.getByRole('textbox').textContent()).toBe('{{ trigger.qty}}');
    expect(complaints).toEqual([]);
  });
});

describe('rules', () => {
  inBrowser.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('make a condition, and a condition becomes rules: %s, %i wide', async (scheme, width) => {
    const { home, owner } = await homeWithOwner();
    const id = await home.deploy({
      ...{ slug: 'dear', managedByCode: false, name: 'Dear' },
      trigger: manual(
        { key: 'total', label: 'Total', type: 'number', required: false },
        { key: 'country', label: 'Country', type: 'text', required: false },
      ),
      nodes: [control('check', 'condition', { condition: '{{ size(trigger) > 3 }}' }, { name: 'Is it dear' })],
      edges: [],
    });
    const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit?node=check`, {
      scheme,
      width,
    });
    await logInThere(page, owner);
    const condition = form(page).getByRole('textbox', { name: 'Condition', exact: true });
    await form(page).getByText('Rules cannot show this expression.').waitFor();
    await condition.focus();
    await page.locator('.cm-content:focus').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    const rule = (index: number) => form(page).getByRole('region', { name: `Rule ${index}`, exact: true });
    await rule(1).getByRole('combobox', { name: 'Field' }).fill('tot');
    await page.getByRole('option', { name: 'trigger.total' }).click();
    await rule(1).getByLabel('Operator').selectOption({ label: 'is greater than' });
    await rule(1).getByRole('textbox', { name: 'Value' }).click();
    await page.keyboard.type('300');
    const first = 'trigger.?total.orValue(null) != null && trigger.?total.orValue(null) > 300';
    await poll(() => condition.textContent()).toBe(`{{ ${first} }}`);
    await form(page).getByRole('button', { name: 'Add a rule' }).click();
    await rule(2).getByRole('combobox', { name: 'Field' }).fill('trigger.country');
    await rule(2).getByLabel('Operator').selectOption({ label: 'is one of the list' });
    await rule(2).getByRole('textbox', { name: 'Value' }).click();
    await page.keyboard.insertText('["DE", "AT"]');
    await form(page).getByLabel('Match').selectOption({ label: 'Any rule' });
    const both = `{{ (${first}) || trigger.?country.orValue(null) in ["DE", "AT"] }}`;
    await poll(() => condition.textContent()).toBe(both);
    await problems(page).getByText('No problems.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published as version 2.').waitFor();
    for (const [input, result] of [
      [{ total: 301 }, true],
      [{ total: 300, country: 'AT' }, true],
      [{ country: 'FR' }, false],
      [{}, false],
    ] as const) {
      const execution = await home.execute(id, input);
      await home.ended(execution);
      const { body } = await home.api('GET', `/api/executions/${execution}?expansion=executionPath`);
      expect({ input, output: body.executionPath[0].output }).toEqual({ input, output: { result } });
    }
    await page.reload();
    await rule(2).getByLabel('Operator').waitFor();
    expect(await rule(2).getByRole('combobox', { name: 'Field' }).inputValue()).toBe('trigger.country');
    expect(await written(rule(1).getByRole('textbox', { name: 'Value' }))).toBe('300');
    await form(page).getByRole('button', { name: 'Edit as expression' }).click();
    await rule(1).waitFor({ state: 'detached' });
    await form(page).getByRole('button', { name: 'Edit as rules' }).click();
    await rule(1).waitFor();
    expect(complaints).toEqual([]);
  });

  inBrowser('filter a list and name the cases of a switch', async () => {
    const { home, owner } = await homeWithOwner();
    const id = await home.deploy({
      ...{ slug: 'dear', managedByCode: false, name: 'Dear' },
      trigger: manual({ key: 'kind', label: 'Kind', type: 'text', required: false }),
      nodes: [
        action('list', 'core.transform', { value: [{ sku: 'a', price: { net: 3 } }] }, { name: 'List' }),
        action(
          'keep',
          'core.filter',
          { items: '{{ steps.list.output }}', where: [{ field: 'sku', operator: 'equals', value: 'a' }] },
          { name: 'Keep' },
        ),
        control('which', 'switch', { cases: [{ name: 'other', when: true }] }, { name: 'Which' }),
      ],
      edges: chain('list', 'keep', 'which'),
    });
    await home.ended(await home.execute(id, {}));
    const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit?node=keep`);
    await logInThere(page, owner);
    const rule = (index: number) => form(page).getByRole('region', { name: `Rule ${index}`, exact: true });
    await rule(1).waitFor();
    await form(page).getByRole('button', { name: 'Add a rule' }).click();
    await rule(2).getByRole('combobox', { name: 'Field' }).fill('net');
    await page.getByRole('option', { name: 'price.net' }).click();
    await rule(2).getByLabel('Operator').selectOption({ label: 'is at least' });
    await rule(2).getByRole('textbox', { name: 'Value' }).click();
    await page.keyboard.type('2');
    await form(page).getByRole('button', { name: 'Edit as JSON: Conditions' }).click();
    const json = form(page).getByRole('textbox', { name: 'Conditions' });
    await poll(async () => JSON.parse(await written(json))).toEqual([
      { field: 'sku', operator: 'equals', value: 'a' },
      { field: 'price.net', operator: 'greaterOrEqual', value: 2 },
    ]);
    await page.locator('.react-flow__node', { hasText: 'Which' }).click();
    const other = form(page).getByRole('region', { name: 'other' });
    expect(await written(other.getByRole('textbox', { name: 'When' }))).toBe('true');
    await form(page).getByRole('button', { name: 'Add a case' }).click();
    const added = form(page).getByRole('region', { name: 'case2' });
    await added.getByRole('combobox', { name: 'Field' }).fill('trigger.kind');
    await added.getByLabel('Operator').selectOption({ label: 'is empty' });
    const when = added.getByRole('textbox', { name: 'When' });
    await poll(() => written(when)).toBe('{{ trigger.?kind.orValue(null) in [null, "", [], {}] }}');
    expect(complaints).toEqual([]);
  });
});
