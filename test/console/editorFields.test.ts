// test: long
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  ALL_VIEWS_MS,
  expectAccessible,
  expectAccessibleInAll,
  logInThere,
  openConsole,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { addField, addValue, form, node, problems, tabTo, write } from '../setup/browser/editorPage.ts';
import { withTypes } from '../setup/browser/orderTypes.ts';
import { poll } from '../setup/jest/poll.ts';
import { action, chain, control, manual } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

describe('values', () => {
  inBrowser.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)(
    'a value of a step is found by its name and inserted, by keys alone: %s, %i wide',
    async (scheme, width) => {
      const { home, owner } = await homeWithOwner();
      const id = await home.deploy({
        ...{ slug: 'bill', managedByCode: false, name: 'Bill' },
        trigger: manual({ key: 'person', label: 'Person', type: 'text', required: true }),
        nodes: [
          action('order', 'core.set', { values: { total: 115, lines: [{ price: 1 }] } }, { name: 'Look up the order' }),
          control('say', 'respond', { body: '{{ trigger.person }} pays ' }, { name: 'Say it' }),
        ],
        edges: chain('order', 'say'),
      });
      await home.ended(await home.execute(id, { person: 'Ada' }));
      const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit?node=say`, {
        scheme,
        width,
      });
      await logInThere(page, owner);
      const body = form(page).getByRole('textbox', { name: 'Body', exact: true });
      await form(page).getByText('= "Ada pays "').waitFor();
      await body.focus();
      await page.locator('.cm-content:focus').waitFor();
      await page.keyboard.press('End');
      // Tab leaves the field.
      await tabTo(page, 'Insert…');
      await page.keyboard.press('Enter');
      const list = page.getByRole('listbox');
      await list.getByText('Look up the order', { exact: true }).waitFor();
      await list.getByRole('option', { name: 'trigger.person"Ada"' }).waitFor();
      await page.keyboard.type('total');
      await list.getByRole('option', { name: 'trigger.person' }).waitFor({ state: 'detached' });
      await list.getByRole('option', { name: 'steps.order.output.total115', selected: true }).waitFor();
      // Not on the whole list: axe accepts a list that scrolls by arrow keys for comboboxes only.
      await expectAccessible(page);
      await page.keyboard.press('Enter');
      await form(page).getByText('= "Ada pays 115"').waitFor();
      expect(await body.textContent()).toBe('{{ trigger.person }} pays {{ steps.order.output.total }}');
      // Inside an expression, the list opens while typing.
      await write(page, 'Body', '{{ ');
      await page.keyboard.type('pers');
      await list.getByRole('option', { name: 'trigger.person"Ada"', selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.keyboard.type(' }}');
      await form(page).getByText('= "Ada"').waitFor();
      expect(complaints).toEqual([]);
    },
  );

  inBrowser(
    'inserts a value at the end of an unvisited field; an empty list says where to create an entry',
    async () => {
      const { home, owner } = await homeWithOwner();
      const id = await home.deploy({
        ...{ slug: 'asks', managedByCode: false, name: 'Asks', trigger: manual() },
        nodes: [
          action('fetchIt', 'http.request', { url: 'https://example.org' }, { name: 'Fetch it' }),
          action('ask', 'agent.run', { slug: 'nobody', message: 'Why ' }, { name: 'Ask' }),
        ],
        edges: chain('fetchIt', 'ask'),
      });
      const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit?node=ask`);
      await logInThere(page, owner);
      const inserts = form(page).locator('[data-field="inputs.message"]').getByRole('button', { name: 'Insert…' });
      await inserts.click();
      await page.getByRole('listbox').waitFor();
      await page.keyboard.type('fetch');
      await page.getByRole('option', { name: 'steps.fetchIt.output.status' }).click();
      const message = form(page).getByRole('textbox', { name: 'Message', exact: true });
      await poll(() => message.textContent()).toBe('Why {{ steps.fetchIt.output.status }}');
      await form(page).getByRole('button', { name: 'Choose one' }).click();
      await form(page).getByText('No agent yet.').waitFor();
      // The API would accept it, and each execution would fail.
      await problems(page).getByText('Choose one, or write its slug.').waitFor();
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('Fix these problems first.').waitFor();
      const one = form(page).getByRole('link', { name: 'Create one' });
      expect(await one.getAttribute('href')).toBe('/console/agents');
      expect(await one.getAttribute('target')).toBe('_blank');
      expect(complaints).toEqual([]);
    },
  );

  inBrowser('gives an added case a unique name', async () => {
    const { home, owner } = await homeWithOwner();
    const id = await home.deploy({
      ...{ slug: 'which', managedByCode: false, name: 'Which', trigger: manual() },
      nodes: [control('which', 'switch', { cases: ['case1', 'case2'].map((name) => ({ name, when: true })) })],
      edges: [],
    });
    const { page } = await openConsole(home.url, `/console/workflows/${id}/edit?node=which`);
    await logInThere(page, owner);
    const cases = form(page).getByRole('group', { name: 'Cases', exact: true });
    await cases.getByRole('button', { name: 'Remove case1' }).click();
    await cases.getByRole('button', { name: 'Add a case' }).click();
    const names = cases.getByRole('textbox', { name: 'Name' });
    const values = async () => Promise.all((await names.all()).map((name) => name.inputValue()));
    await poll(values).toEqual(['case2', 'case3']);
  });

  async function afterFailure() {
    const { home, owner } = await homeWithOwner();
    const id = await home.deploy({
      ...{ slug: 'goes-on', managedByCode: false, name: 'Goes on' },
      trigger: manual({ key: 'wait', label: 'Wait', type: 'number', required: true }),
      nodes: [
        action('parse', 'core.transform', { value: '{{ int("none") }}' }, { name: 'Read it', onError: 'continue' }),
        control('pause', 'delay', { forMs: 1000 }, { name: 'Pause' }),
        action('note', 'core.set', { values: {} }, { name: 'Note' }),
      ],
      edges: chain('parse', 'pause', 'note'),
    });
    await home.ended(await home.execute(id, { wait: 7 }));
    return { id, home, owner };
  }

  inBrowser('an open list of values shows those of the execution when they arrive', async () => {
    const { id, home, owner } = await afterFailure();
    const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit?node=pause`);
    let answer = () => {};
    const isAsked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/executions\/[0-9a-f-]{36}\?.*executionVariables/, async (route) => {
      await isAsked;
      await route.continue();
    });
    await logInThere(page, owner);
    const field = form(page).locator('[data-field="inputs.forMs"]');
    await field.getByRole('button', { name: 'Insert…' }).click();
    const list = page.getByRole('listbox');
    await list.getByRole('option', { name: 'steps.parse.error.code"CODE"' }).waitFor();
    answer();
    await list
      .getByRole('option', { name: 'steps.parse.error.code"' })
      .and(list.getByText('"CODE"'))
      .waitFor({ state: 'detached' });
    await list.getByRole('option', { name: 'trigger.wait7' }).click();
    // A field for one value replaces its content.
    const text = field.getByRole('textbox');
    await poll(() => text.textContent()).toBe('{{ trigger.wait }}');
    await page.keyboard.press('ControlOrMeta+z');
    await poll(() => text.textContent()).toBe('1 s');
    expect(complaints).toEqual([]);
  });

  inBrowser(
    'typing over a value closes its brackets; a name is followed by its value; without a match nothing is inserted',
    async () => {
      const { id, home, owner } = await afterFailure();
      const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit?node=pause`);
      await logInThere(page, owner);
      const pause = form(page).getByRole('textbox', { name: 'For', exact: true });
      await pause.click();
      await page.locator('.editor-form .cm-editor.cm-focused').waitFor();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('{{ trigger.wait');
      await form(page).getByText('= 7').waitFor();
      await poll(() => pause.textContent()).toBe('{{ trigger.wait}}');
      await node(page, 'Note').click();
      await form(page).getByRole('button', { name: 'Add a value' }).click();
      await form(page).getByRole('textbox', { name: 'Name 1' }).and(page.locator(':focus')).waitFor();
      await page.keyboard.insertText('why');
      await page.keyboard.press('Tab');
      const why = form(page).getByRole('textbox', { name: 'Value of why' });
      await why.and(page.locator(':focus')).waitFor();
      await form(page).getByRole('group', { name: 'Fields' }).getByRole('button', { name: 'Insert…' }).click();
      const list = page.getByRole('listbox');
      await list.waitFor();
      await page.keyboard.type('nosuch');
      await list.waitFor({ state: 'detached' });
      await poll(() => why.textContent()).toBe('nosuch');
      for (const _ of 'nosuch') await page.keyboard.press('Backspace');
      await page.keyboard.press('Control+Space');
      await list.waitFor();
      await page.keyboard.type('code');
      await list.getByRole('option', { name: 'steps.parse.error.code' }).waitFor();
      await page.keyboard.press('Enter');
      await poll(() => why.textContent()).toBe('{{ steps.parse.error.code }}');
      expect(complaints).toEqual([]);
    },
  );

  inBrowser("offers the attributes of the entity's type by name and marks required ones", async () => {
    const { home, owner } = await homeWithOwner();
    await withTypes(home);
    // A draft, because the attribute that is required is missing.
    const { body: draft } = await home.api('POST', `/api/projects/${home.projectId}/workflows/drafts`, {
      body: {
        ...{ name: 'Makes', trigger: manual(), edges: [] },
        nodes: [action('make', 'objects.create', { objectTypeSlug: 'order', name: 'One' }, { name: 'Make it' })],
      },
    });
    const { page, complaints } = await openConsole(home.url, `/console/workflows/${draft.id}/edit?node=make`);
    await logInThere(page, owner);
    await form(page).getByRole('button', { name: 'approvedBy', exact: true }).waitFor();
    await form(page).getByRole('button', { name: 'total (required)' }).click();
    await form(page).getByRole('textbox', { name: 'Value of total' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('12');
    await form(page).getByRole('button', { name: 'total (required)' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published as version 1.').waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('durations', () => {
  const field = (page: Page, name: string) =>
    page.getByRole('region', { name: 'Form', exact: true }).getByRole('textbox', { name });

  inBrowser.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)(
    'inputs that are durations are written as people say them, or as expressions: %s, %i wide',
    async (scheme, width) => {
      const { home, owner } = await homeWithOwner();
      const id = await home.deploy({
        ...{ slug: 'late', managedByCode: false, name: 'Late', trigger: manual() },
        nodes: [
          control('wait', 'delay', { forMs: 300_000 }, { name: 'Wait' }),
          action('call', 'http.request', { url: 'https://example.org', timeoutMs: 5_000 }, { name: 'Call' }),
        ],
        edges: chain('wait', 'call'),
      });
      const at = `/console/workflows/${id}/edit?node=`;
      const { page, complaints } = await openConsole(home.url, `${at}wait`, { scheme, width });
      await logInThere(page, owner);
      const write = async (name: string, text: string) => {
        await field(page, name).focus();
        await page.locator('.cm-content:focus').waitFor();
        await page.keyboard.press('ControlOrMeta+a');
        await page.keyboard.insertText(text);
      };
      const saved = async (version: number, nodeId: string, inputs: object) => {
        await page.getByRole('region', { name: 'Problems' }).getByText('No problems.').waitFor();
        await page.getByRole('button', { name: 'Publish', exact: true }).click();
        await page.getByText(`Published as version ${version}.`).waitFor();
        const { body } = await home.api('GET', `/api/workflows/${id}?expansion=nodes`);
        expect(body.nodes.find((node: { id: string }) => node.id === nodeId).inputs).toEqual(inputs);
      };
      await field(page, 'For').waitFor();
      expect(await field(page, 'For').inputValue()).toBe('5 min');
      await write('For', 'two weeks');
      await page.getByText('Enter a duration: 30 s, 5 min, 1 h 30 min.').waitFor();
      await expectAccessible(page);
      await write('For', '4000 d');
      await page.getByText('expected a time from 0 s to 3650 d', { exact: true }).waitFor();
      await page
        .getByRole('region', { name: 'Problems' })
        .getByRole('button', { name: 'Wait: For: expected a time from 0 s to 3650 d' })
        .waitFor();
      await write('For', '2 h 30 min');
      await saved(2, 'wait', { forMs: 9_000_000 });
      expect(await field(page, 'For').textContent()).toBe('2 h 30 min');
      await write('For', '{{ 60000 * 2 }}');
      await saved(3, 'wait', { forMs: '{{ 60000 * 2 }}' });
      await page.goto(new URL(`${at}call`, home.url).href);
      await field(page, 'Timeout').waitFor();
      expect(await field(page, 'Timeout').inputValue()).toBe('5 s');
      await write('Timeout', '1.5 min');
      await saved(4, 'call', { url: 'https://example.org', timeoutMs: 90_000 });
      expect(complaints).toEqual([]);
    },
  );
});

describe('missing values', () => {
  inBrowser(
    'reports missing values of a new node only after its fields are left or at a save',
    async () => {
      const { home, owner } = await homeWithOwner();
      const { page, complaints } = await openConsole(home.url, '/console/workflows/new');
      await logInThere(page, owner);
      const action = (name: string) =>
        page.locator('.editor-palette').getByRole('button', { name, exact: true }).first();
      const needed = form(page).getByText('This is needed.');
      const listed = (name: string) => problems(page).getByRole('button', { name, exact: true });
      await problems(page).getByText('2 fields to fill in').waitFor();
      expect(await needed.count()).toBe(0);
      await form(page).getByRole('textbox', { name: 'Name', exact: true }).focus();
      await tabTo(page, 'Slug');
      await needed.waitFor();
      await write(page, 'Name', 'Price an order');
      await needed.waitFor({ state: 'detached' });

      await action('Set fields').click();
      await form(page).getByRole('heading', { name: 'Set fields' }).waitFor();
      await problems(page).getByText('1 field to fill in').waitFor();
      await listed('Set fields: Fields: This is needed.').waitFor();
      expect(await needed.count()).toBe(0);
      expect(await node(page, 'Set fields').getByText('1', { exact: true }).count()).toBe(0);
      await expectAccessibleInAll(page);
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('Fix these problems first.').waitFor();
      await needed.waitFor();
      await problems(page).getByText('1 problem').waitFor();
      await node(page, 'Set fields').getByText('1', { exact: true }).waitFor();
      await addValue(page, 'net', '3');
      await problems(page).getByText('No problems.').waitFor();

      // After the change to another form, the node shows its missing value.
      await action('Wait').click();
      await form(page).getByRole('heading', { name: 'Wait' }).waitFor();
      await write(page, 'For', '');
      await listed('Wait: Fill in one of these: For, Until.').waitFor();
      await action('Ask a person').click();
      await form(page).getByRole('heading', { name: 'Ask a person' }).waitFor();
      await node(page, 'Wait').getByText('1', { exact: true }).waitFor();
      await addField(page, 'size', 'One of several');
      await listed('Ask a person: Form fields 1, Options: This is needed.').waitFor();
      await page.getByRole('tab', { name: 'Code' }).click();
      await problems(page).getByText('Ask a person: inputs.fields[0].options').waitFor();
      expect(complaints).toEqual([]);
    },
    ALL_VIEWS_MS,
  );
});
