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
import { form, node, problems } from '../setup/browser/editorPage.ts';
import { poll } from '../setup/jest/poll.ts';
import { action, chain, control, manual } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

describe('frames', () => {
  const NODES = Number(process.env.NODES ?? 200);
  /** Longest allowed frame on a loaded machine, in milliseconds; the output shows the real times. */
  const MAX_MS = Number(process.env.FRAME_MS ?? 1_000);

  /** Runs in the page: collects the time of each frame, in milliseconds. */
  const WATCH_FRAMES = `(() => {
  window.frames_ = [];
  let last = performance.now();
  const next = (now) => { window.frames_.push(now - last); last = now; requestAnimationFrame(next); };
  requestAnimationFrame(next);
})()`;

  interface Frames {
    count: number;
    middleMs: number;
    slowMs: number;
    longestMs: number;
  }

  async function framesOf(page: Page, act: () => Promise<void>): Promise<Frames> {
    await page.evaluate('window.frames_.length = 0');
    await act();
    const all = await page.evaluate<number[]>('window.frames_');
    const sorted = [...all].sort((a, b) => a - b);
    const at = (share: number) =>
      Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
    return { count: all.length, middleMs: at(0.5), slowMs: at(0.95), longestMs: at(1) };
  }

  inBrowser(
    'moves, visits and edits two hundred nodes without a long frame',
    async () => {
      const { home, owner } = await homeWithOwner();
      const ids = Array.from({ length: NODES }, (_, index) => `n${index}`);
      const id = await home.deploy({
        ...{ slug: 'many', managedByCode: false, name: 'Many', trigger: manual() },
        nodes: ids.map((one, index) =>
          action(
            one,
            'core.transform',
            { value: index === 0 ? 0 : `{{ steps.n${index - 1}.output }}` },
            { position: { x: (index % 14) * 260, y: Math.floor(index / 14) * 140 } },
          ),
        ),
        edges: chain(...ids),
      });
      const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit?node=n100`);
      await logInThere(page, owner);
      const name = page.getByRole('region', { name: 'Form', exact: true }).getByLabel('Name');
      await name.waitFor();
      await page.getByRole('region', { name: 'Problems' }).getByText('No problems.').waitFor();
      await page.evaluate(WATCH_FRAMES);
      const node = page.locator('.react-flow__node[data-id="n100"]');
      const { x = 0, y = 0, width = 0, height = 0 } = (await node.boundingBox()) ?? {};
      const dragged = await framesOf(page, async () => {
        await page.mouse.move(x + width / 2, y + height / 2);
        await page.mouse.down();
        for (let step = 1; step <= 60; step += 1) await page.mouse.move(x + step, y + step);
        await page.mouse.up();
        await page.getByRole('button', { name: '1 change' }).waitFor();
      });
      const written = await framesOf(page, async () => {
        await name.focus();
        await page.keyboard.type('A name of forty letters, key after key.');
        await node.getByText('key after key.').waitFor();
      });
      const walked = await framesOf(page, async () => {
        await node.focus();
        for (let step = 0; step < 20; step += 1) await page.keyboard.press('Tab');
        await page.locator('.react-flow__node[data-id="n120"]').and(page.locator(':focus')).waitFor();
      });
      console.info(`${NODES} nodes: ${JSON.stringify({ dragged, written, walked })}`);
      for (const { longestMs } of [dragged, written, walked]) expect(longestMs).toBeLessThan(MAX_MS);
      expect(complaints).toEqual([]);
    },
    600_000,
  );
});

describe('clipboard', () => {
  const fieldOf = (page: Page, name: string) => form(page).getByRole('textbox', { name, exact: true });

  inBrowser('copies, pastes and duplicates nodes by keyboard; copies refer to each other', async () => {
    const { home, owner } = await homeWithOwner();
    const id = await home.deploy({
      ...{ slug: 'copied', managedByCode: false, trigger: manual() },
      nodes: [
        control('each', 'forEach', { items: [1, 2] }, { name: 'Each' }),
        action('double', 'core.transform', { value: '{{ loop.item * 2 }}' }, { name: 'Double', parentId: 'each' }),
        action('sum', 'core.transform', { value: '{{ steps.each.output }}' }, { name: 'Sum' }),
      ],
      edges: chain('each', 'sum'),
    });
    const other = await home.deploy({
      ...{ slug: 'other', managedByCode: false, name: 'Other', trigger: manual() },
      nodes: [action('begin', 'core.transform', { value: 1 }, { name: 'Begin' })],
    });
    const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit`);
    await logInThere(page, owner);
    const keys = page.keyboard;
    await node(page, 'Sum').click();
    await form(page).getByLabel('Name').waitFor();
    await keys.press('ControlOrMeta+d');
    await node(page, 'Sum').nth(1).waitFor();
    expect(await form(page).getByLabel('Id').inputValue()).toBe('sum2');
    await keys.press('ControlOrMeta+z');
    await node(page, 'Sum').nth(1).waitFor({ state: 'detached' });
    await node(page, 'Each').click({ position: { x: 20, y: 12 } });
    await node(page, 'Each').focus();
    await keys.press('x');
    await keys.press('Tab');
    await keys.press('Tab');
    await node(page, 'Sum').and(page.locator(':focus')).waitFor();
    await form(page).getByText('2 nodes selected.').waitFor();
    await expectAccessible(page);
    await keys.press('ControlOrMeta+c');
    await page.goto(new URL(`/console/workflows/${other}/edit`, home.url).href);
    await node(page, 'Begin').click();
    await form(page).getByLabel('Name').waitFor();
    await keys.press('ControlOrMeta+v');
    await node(page, 'Sum').waitFor();
    await keys.press('ControlOrMeta+v');
    await node(page, 'Sum').nth(1).waitFor();
    await problems(page).getByText('No problems.').waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published as version 2.').waitFor();
    const { body } = await home.api('GET', `/api/workflows/${other}?expansion=nodes,edges`);
    expect(body.nodes).toMatchObject([
      { id: 'begin' },
      ...[
        { id: 'each' },
        { id: 'double', parentId: 'each' },
        { id: 'sum', inputs: { value: '{{ steps.each.output }}' } },
      ],
      ...[{ id: 'each2' }, { id: 'double2', parentId: 'each2' }],
      { id: 'sum2', inputs: { value: '{{ steps.each2.output }}' } },
    ]);
    expect(body.edges).toMatchObject([
      { source: 'each', target: 'sum' },
      { source: 'each2', target: 'sum2' },
    ]);
    // In a text field, the clipboard is pasted as text.
    await node(page, 'Begin').click();
    await form(page).getByLabel('Name').press('ControlOrMeta+v');
    expect(await form(page).getByLabel('Name').inputValue()).toContain('nodes:');
    await page.keyboard.press('ControlOrMeta+z');
    const pasteButton = page.getByRole('button', { name: 'Paste nodes' });
    // Permissions that are not granted here are denied.
    await page.context().grantPermissions([]);
    await pasteButton.click();
    await page.getByText('The browser blocks access to the clipboard.').waitFor();
    expect(await node(page, 'Sum').count()).toBe(2);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await pasteButton.click();
    await node(page, 'Sum').nth(2).waitFor();
    await page.evaluate('navigator.clipboard.writeText("no nodes")');
    await pasteButton.click();
    await page.getByText('The clipboard has no nodes.').waitFor();
    expect(complaints).toEqual([]);
  });

  inBrowser.each(['light', 'dark'] as const)(
    'problems are marked in the code at their places, and lead there: %s',
    async (scheme) => {
      const { home, owner } = await homeWithOwner();
      const ids = Array.from({ length: 30 }, (_, index) => `n${index}`);
      const id = await home.deploy({
        ...{ slug: 'marked', managedByCode: false, trigger: manual() },
        nodes: ids.map((nodeId, index) => action(nodeId, 'core.transform', { value: index })),
        edges: chain(...ids),
      });
      const address = `/console/workflows/${id}/edit`;
      const { page, complaints } = await openConsole(home.url, `${address}?node=n29`, { scheme });
      await logInThere(page, owner);
      await fieldOf(page, 'Value').focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText('{{ steps.nobody.output }}');
      const found = problems(page).getByRole('button', { name: /there is no node nobody/ });
      await found.waitFor();
      await page.getByRole('tab', { name: 'Code' }).click();
      const code = page.getByRole('textbox', { name: 'Definition' });
      await code.waitFor();
      await found.click();
      await code.and(page.locator(':focus')).waitFor();
      const mark = page.locator('.cm-lintRange-error');
      await mark.getByText('steps.nobody.output').waitFor();
      await mark.hover();
      await page.locator('.cm-diagnostic').getByText('there is no node nobody').waitFor();
      await expectAccessible(page);
      // The place is selected, so typing replaces it.
      await page.keyboard.insertText('"{{ steps.n0.output }}"');
      await mark.waitFor({ state: 'detached' });
      await problems(page).getByText('No problems.').waitFor();
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.insertText('}');
      await page.locator('.cm-lint-marker-error').waitFor();
      await page.getByRole('alert').getByText('The graph shows the last valid version').waitFor();
      expect(complaints).toEqual([]);
    },
  );
});

describe('accessibility', () => {
  const greet = {
    managedByCode: false,
    name: 'Greet',
    trigger: manual({ key: 'person', label: 'Person', type: 'text', required: true }),
  };
  const edit = (id: string, more = '') => `/console/workflows/${id}/edit${more}`;

  inBrowser(
    'the editor is accessible: what a new workflow, the trigger, a node and the definition show',
    async () => {
      const { home, owner } = await homeWithOwner();
      const ask = control(
        'ask',
        'input',
        { fields: [{ key: 'ok', label: 'Ok', type: 'boolean', required: true }] },
        { name: 'Ask' },
      );
      const choose = control(
        'choose',
        'switch',
        { cases: [{ name: 'big', when: '{{ steps.ask.output.ok }}' }] },
        { name: 'Choose' },
      );
      const id = await home.deploy({ ...greet, slug: 'shown', nodes: [ask, choose], edges: chain('ask', 'choose') });
      const { page, complaints } = await openConsole(home.url, '/console/workflows/new');
      await logInThere(page, owner);
      await form(page).getByLabel('Project').waitFor();
      await expectAccessibleInAll(page);
      for (const at of ['trigger', 'ask', 'choose']) {
        await page.goto(new URL(edit(id, `?node=${at}`), home.url).href);
        await form(page).getByText('Leads to').waitFor();
        await expectAccessibleInAll(page);
      }
      // A node is 200 px wide at full size; over 100 px it is readable on a phone.
      await page.setViewportSize({ width: 390, height: 844 });
      await page.reload();
      const trigger = page.locator('.react-flow__node[data-id=trigger]');
      await poll(async () => (await trigger.boundingBox())?.width).toBeGreaterThan(100);
      await page.goto(new URL(edit(id, '?tab=code'), home.url).href);
      await page.getByRole('textbox', { name: 'Definition' }).waitFor();
      await expectAccessibleInAll(page);
      expect(complaints).toEqual([]);
    },
    ALL_VIEWS_MS,
  );
});
