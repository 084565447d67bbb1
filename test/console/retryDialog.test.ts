// test: long
import { describe, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  expectAccessible,
  expectAccessibleInAll,
  logInThere,
  openConsole,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { action, chain, control, edges, type Graph, manual } from '../setup/workspace/graph.ts';
import { type Home, homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

describe('dialog of a retry', () => {
  const set = (id: string, more = {}) => action(id, 'core.set', { values: { id } }, { name: id, ...more });
  const broken = (id: string) => action(id, 'testing.fail', { retryable: false }, { name: id });
  const divide = action(
    'divide',
    'core.transform',
    { value: '{{ 10 / loop.item }}' },
    { parentId: 'each', name: 'divide' },
  );
  const each = control('each', 'forEach', { items: [1, 2, 0] });

  const CHAIN: Graph = { nodes: [set('a'), set('b'), broken('c'), set('d')], edges: chain('a', 'b', 'c', 'd') };
  const BRANCH: Graph = {
    nodes: [control('ask', 'condition', { condition: true }), set('yes'), set('no'), broken('end')],
    edges: edges('ask:true>yes', 'ask:false>no', 'yes>end', 'no>end'),
  };
  const LOOP: Graph = { nodes: [set('a'), each, divide, set('after')], edges: chain('a', 'each', 'after') };

  /** Failed items do not end the loop. */
  const goesOn = control('each', 'forEach', { items: [1, 2, 0, 0], onItemError: 'continue' }, { name: 'each' });
  const ITEMS_FAILED: Graph = { nodes: [set('a'), goesOn, divide, set('after')], edges: chain('a', 'each', 'after') };
  const FAILED_BEHIND: Graph = { ...ITEMS_FAILED, nodes: [set('a'), goesOn, divide, broken('after')] };
  /** All items of the outer loop complete; the inner loop of the second one has a failed item. */
  const NESTED: Graph = {
    nodes: [
      set('a'),
      control('outer', 'forEach', { items: [[1], [0, 2]] }, { name: 'outer' }),
      control(
        'each',
        'forEach',
        { items: '{{ loop.item }}', onItemError: 'continue' },
        { name: 'each', parentId: 'outer' },
      ),
      divide,
      set('after'),
    ],
    edges: chain('a', 'outer', 'after'),
  };

  interface Step {
    label: string;
    reused?: true;
    iteration: object[];
    iterations?: { reused?: number; total?: number };
  }

  /** Returns what the API reports of a retry: reused steps, loops resumed with reused items, and item counts. */
  async function keptIn(home: Home, executionId: string) {
    const { executionPath } = (await home.ended(executionId)) as { executionPath: Step[] };
    const top = executionPath.filter(({ iteration }) => iteration.length === 0);
    const goesOn = top.filter(({ iterations }) => (iterations?.reused ?? 0) > 0);
    const kept = top.filter((step) => step.reused === true && !goesOn.includes(step));
    const names = (steps: Step[]) => steps.map(({ label }) => label).sort();
    const [items = undefined] = goesOn.map(({ iterations: { reused = 0, total = 0 } = {} }) => [
      reused,
      total - reused,
    ]);
    return { kept: names(kept), goesOn: names(goesOn), items };
  }

  const ITEMS = /^“(.+)”: (its|\d)/;
  const NUMBER = /^“.+”: (\d+) /;

  /** Returns the lines of a group of the dialog without states; resumed loops are listed separately. */
  async function linesOf(dialog: Locator, name: string) {
    const lines = await dialog.getByRole('region', { name, exact: true }).getByRole('listitem').allTextContents();
    const plain = lines.map((line) => line.trim().replace(/ ?(Completed|Failed)$/, ''));
    return {
      steps: plain.filter((line) => !ITEMS.test(line)).sort(),
      loops: plain.flatMap((line) => ITEMS.exec(line)?.[1] ?? []).sort(),
    };
  }

  /** Returns how many items are reused and run again, if the dialog shows it. */
  async function itemsIn(dialog: Locator): Promise<(number | undefined)[]> {
    const numbers = ['Reused', 'Run again'].map(async (name) => {
      const lines = await dialog.getByRole('region', { name, exact: true }).getByRole('listitem').allTextContents();
      return lines.flatMap((line) => NUMBER.exec(line)?.slice(1).map(Number) ?? [])[0];
    });
    return Promise.all(numbers);
  }

  async function openRetry(page: Page): Promise<Locator> {
    await page.getByRole('button', { name: 'Retry' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('region', { name: 'Reused' }).waitFor();
    return dialog;
  }

  async function startedRetry(page: Page, dialog: Locator, executionId: string): Promise<string> {
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await page.waitForURL((url) => url.pathname.includes('/executions/') && !url.pathname.endsWith(executionId));
    return new URL(page.url()).pathname.split('/').at(-1) ?? '';
  }

  inBrowser('the forecast of the dialog matches the retry: a chain, a branch, a loop with a failed item', async () => {
    const { home, owner } = await homeWithOwner();
    const { page, complaints } = await openConsole(home.url, '/console/');
    await logInThere(page, owner);
    await page.getByRole('heading', { name: 'Running' }).waitFor();
    const cases: {
      graph: Graph;
      from?: string;
      /** Whether failed items run again; absent if that is not offered. */
      failedItems?: boolean;
      kept: string[];
      again: string[];
      loops?: string[];
      items?: number[];
    }[] = [
      { graph: CHAIN, kept: ['a', 'b'], again: ['c'] },
      { graph: CHAIN, from: 'At “b”', kept: ['a'], again: ['b', 'c'] },
      { graph: BRANCH, kept: ['ask', 'yes'], again: ['end'] },
      { graph: LOOP, kept: ['a'], again: [], loops: ['each'], items: [2, 1] },
      { graph: LOOP, from: 'At “a”', kept: [], again: ['a', 'each'] },
      { graph: LOOP, from: 'At “divide”', kept: ['a'], again: [], loops: ['each'] },
      { graph: ITEMS_FAILED, failedItems: true, kept: ['a'], again: ['after'], loops: ['each'], items: [2, 2] },
      { graph: ITEMS_FAILED, failedItems: false, kept: [], again: ['a', 'after', 'each'] },
      { graph: FAILED_BEHIND, failedItems: false, kept: ['a', 'each'], again: ['after'] },
      { graph: FAILED_BEHIND, failedItems: true, kept: ['a'], again: ['after'], loops: ['each'], items: [2, 2] },
      { graph: NESTED, failedItems: true, kept: ['a'], again: ['after'], loops: ['outer'] },
    ];
    for (const { graph, from, failedItems, kept, again, loops = [], items } of cases) {
      const { id } = await home.run(graph);
      await page.goto(new URL(`/console/executions/${id}`, home.url).href);
      const dialog = await openRetry(page);
      if (from !== undefined) {
        await dialog.getByLabel('Start', { exact: true }).selectOption({ label: from });
        await dialog.getByRole('region', { name: 'Reused' }).waitFor();
      }
      const offer = dialog.getByRole('checkbox', { name: 'Run failed loop items again' });
      expect(await offer.isVisible()).toBe(failedItems !== undefined);
      if (failedItems !== undefined) {
        await offer.setChecked(failedItems);
        await dialog.getByRole('region', { name: 'Reused' }).waitFor();
      }
      await expect(linesOf(dialog, 'Reused')).resolves.toEqual({ steps: kept, loops });
      await expect(linesOf(dialog, 'Run again')).resolves.toEqual({ steps: again, loops });
      const foreseen = await itemsIn(dialog);
      if (items !== undefined) expect(foreseen).toEqual(items);
      const found = await keptIn(home, await startedRetry(page, dialog, id));
      expect(found.kept).toEqual(kept);
      // A loop whose items had all reached this step continues without reused items.
      if (from === undefined) expect(found.goesOn).toEqual(loops);
      if (items !== undefined) expect(found.items).toEqual(items);
    }
    expect(complaints).toEqual([]);
  });

  inBrowser(
    'by the latest definition, new and changed steps are named beforehand; the dialog is accessible',
    async () => {
      const { home, owner } = await homeWithOwner();
      const place = { slug: 'chain', managedByCode: false };
      const workflowId = await home.deploy({ ...CHAIN, ...place });
      const { id } = await home.ended(await home.execute(workflowId));
      const changed = { ...set('b'), inputs: { values: { id: 'other' } } };
      await home.deploy({
        ...{ ...place, nodes: [set('a'), changed, set('c'), set('more', { name: 'One more' })] },
        edges: chain('a', 'b', 'c', 'more'),
      });
      const { page, complaints } = await openConsole(home.url, `/console/executions/${id}`);
      await logInThere(page, owner);
      const dialog = await openRetry(page);
      await dialog.getByRole('radio', { name: 'The latest version' }).check();
      await dialog.getByRole('region', { name: 'New in the latest definition' }).getByText('One more').waitFor();
      await expect(linesOf(dialog, 'Reused')).resolves.toEqual({ steps: ['a'], loops: [] });
      await expect(linesOf(dialog, 'Run again')).resolves.toEqual({ steps: ['b', 'c'], loops: [] });
      await expectAccessible(page);
      const found = await keptIn(home, await startedRetry(page, dialog, id));
      expect(found).toEqual({ kept: ['a'], goesOn: [], items: undefined });
      expect(complaints).toEqual([]);
    },
  );

  inBrowser('completed executions that match are retried for the items that failed in their loops', async () => {
    const { home, owner } = await homeWithOwner();
    const { body: zero } = await home.api('POST', '/api/variables', { body: { name: 'zero', value: 0 } });
    const item = control('each', 'forEach', { items: [1, 2, 0], onItemError: 'continue' }, { name: 'each' });
    const shifted = { ...divide, inputs: { value: '{{ 10 / (loop.item + variables.zero) }}' } };
    const workflowId = await home.deploy({ nodes: [item, shifted] });
    const run = async () => (await home.ended(await home.execute(workflowId))) as { id: string; status: string };
    const failed = await run();
    expect(failed.status).toBe('COMPLETED');
    await home.api('PATCH', `/api/variables/${zero.id}`, { body: { value: 5 } });
    await run();
    const { page, complaints } = await openConsole(home.url, '/console/executions?status=COMPLETED');
    await logInThere(page, owner);
    await page.getByRole('button', { name: 'Retry', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry 1 execution?' });
    const offer = dialog.getByRole('checkbox', {
      name: /^Run failed loop items again \(1 execution with/,
    });
    expect(await offer.isChecked()).toBe(true);
    await dialog.getByText('failed loop items run again').waitFor();
    await expectAccessibleInAll(page);
    await offer.uncheck();
    await page.getByRole('dialog').getByText('None of these executions can be changed this way.').waitFor();
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).count()).toBe(0);
    await page.getByRole('dialog').getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await dialog.getByText('Done: 1 execution.').waitFor();
    const { body: retries } = await home.api('GET', `/api/executions?filterBy=retryOfId:${failed.id}`);
    expect(retries).toHaveLength(1);
    await expect(keptIn(home, retries[0].id)).resolves.toEqual({ kept: [], goesOn: ['each'], items: [2, 1] });
    expect((await home.api('GET', `/api/executions?filterBy=workflowId:${workflowId}`)).body).toHaveLength(3);
    // Without that filter, completed executions are left alone.
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.goto(new URL(`/console/executions?workflow=${workflowId}`, home.url).href);
    await page.getByRole('button', { name: 'Retry', exact: true }).click();
    await page.getByRole('dialog').getByText('None of these executions can be changed this way.').waitFor();
    expect(await page.getByRole('dialog').getByRole('checkbox').count()).toBe(0);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Close' })
      .or(page.locator('.mantine-Modal-close'))
      .first()
      .click();
    const { body: whole } = await home.api('GET', `/api/executions/${failed.id}?expansion=executionNumber`);
    await page.getByLabel(`Select execution ${whole.executionNumber}`).check();
    await page.getByRole('button', { name: 'Retry', exact: true }).click();
    // It was retried successfully, so it is skipped.
    await page.getByRole('dialog').getByText('None of these executions can be changed this way.').waitFor();
    expect((await home.api('GET', `/api/executions?filterBy=retryOfId:${failed.id}`)).body).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  const charge = action(
    'charge',
    'testing.fail',
    { times: '{{ trigger.times }}', retryable: false },
    { name: 'charge' },
  );
  const RESULT = { paid: '{{ trigger.amount * 2 }}', order: '{{ trigger.?order.orValue(null) }}' };
  const PAID: Graph = {
    trigger: manual(
      { key: 'amount', label: 'amount', type: 'number', required: true },
      { key: 'times', label: 'times', type: 'number', required: false },
    ),
    nodes: [set('a'), charge, action('paid', 'core.set', { values: RESULT })],
    edges: chain('a', 'charge', 'paid'),
  };

  inBrowser.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)(
    'an execution is retried with another input, by its fields or as JSON: %s, %i wide',
    async (scheme, width) => {
      const { home, owner } = await homeWithOwner();
      const workflowId = await home.deploy(PAID);
      const { id } = await home.ended(await home.execute(workflowId, { amount: 20, times: 9, order: 'A-1' }));
      const { page, complaints } = await openConsole(home.url, `/console/executions/${id}`, { scheme, width });
      await logInThere(page, owner);
      const dialog = await openRetry(page);
      await expect(linesOf(dialog, 'Reused')).resolves.toEqual({ steps: ['a'], loops: [] });
      await dialog.getByRole('checkbox', { name: 'Change the input' }).check();
      // A changed input may affect every step, so nothing is reused unless a start step is chosen.
      await dialog.getByText('Nothing. The whole execution runs again.').waitFor();
      await dialog.getByLabel('Start', { exact: true }).selectOption({ label: 'At “charge”' });
      await dialog.getByRole('region', { name: 'Reused' }).getByRole('listitem').getByText('a').waitFor();
      await dialog.getByLabel('amount').fill('');
      await dialog.getByRole('button', { name: 'Retry' }).click();
      await dialog.getByText('This is needed.').waitFor();
      await expectAccessible(page);
      await dialog.getByLabel('amount').fill('21');
      await dialog.getByLabel('times').fill('0');
      const again = await startedRetry(page, dialog, id);
      const { output } = await home.ended(again);
      expect(output).toEqual({ paid: 42, order: 'A-1' });
      await expect(keptIn(home, again)).resolves.toEqual({ kept: ['a'], goesOn: [], items: undefined });
      // Without fields, the input is edited as text.
      const plain = await home.run(
        { nodes: [action('set', 'core.set', { values: { n: '{{ trigger.n }}' } })] },
        { n: 1 },
      );
      await page.goto(new URL(`/console/executions/${plain.id}`, home.url).href);
      const other = await openRetry(page);
      await other.getByRole('checkbox', { name: 'Change the input' }).check();
      const text = other.getByRole('textbox', { name: 'Input (JSON)' });
      await text.fill('{"n": 2}');
      await expectAccessible(page);
      expect((await home.ended(await startedRetry(page, other, plain.id))).output).toEqual({ n: 2 });
      expect(complaints).toEqual([]);
    },
  );
});

describe('comparison of retries', () => {
  const each = control('each', 'forEach', { items: [1, 0, 2], onItemError: 'continue' }, { name: 'each' });
  const divide = action(
    'divide',
    'core.transform',
    { value: '{{ 1 / loop.item }}' },
    { name: 'divide', parentId: 'each' },
  );
  const after = (value: string) => action('after', 'core.transform', { value }, { name: 'after' });
  const graph = (value: string) => ({
    ...{ slug: 'loop', name: 'Loop', nodes: [each, divide, after(value)] },
    edges: chain('each', 'after'),
  });

  async function retried(home: Home, executionId: string, body: object): Promise<string> {
    const { body: answer } = await home.api('POST', `/api/executions/${executionId}/retry`, { body });
    await home.ended(answer.executionId);
    return answer.executionId;
  }

  inBrowser('compares a retry with the first execution, including the reused items of a loop', async () => {
    const { home, owner } = await homeWithOwner();
    const { id: first } = await home.run(graph('{{ 1 / 0 }}'));
    const second = await retried(home, first, {});
    await home.deploy(graph('{{ 1 / 1 }}'));
    const third = await retried(home, second, { version: 'latest' });
    // The loop was reused as a whole: only the first execution contains its items.
    expect((await home.read(third)).executionPath.length).toBe(2);
    const { page, complaints } = await openConsole(home.url, `/console/executions/${second}/compare`);
    await logInThere(page, owner);
    const steps = page.getByRole('region', { name: 'Steps of both' });
    await steps.getByText('All 5 steps are the same.').waitFor();
    await page.goto(new URL(`/console/executions/${third}/compare?with=${first}`, home.url).href);
    await steps.getByText('1 of 5 steps differ.').waitFor();
    await page.getByRole('switch', { name: 'Differences only' }).click();
    const places = steps.locator('.compared-place');
    expect(await places.allTextContents()).toEqual([
      ...['each', 'each[0] › divide', 'each[1] › divide', 'each[2] › divide'],
      'after',
    ]);
    const broken = steps.getByRole('listitem').filter({ hasText: 'each[1]' });
    expect(await broken.getByText('Failed').count()).toBe(2);
    await broken.getByRole('button').click();
    await broken.getByText('No difference.').first().waitFor();
    // Both have the same name, so their numbers distinguish them.
    await page.goto(new URL(`/console/executions/${third}`, home.url).href);
    await page.getByRole('link', { name: '#2 Loop', exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });
});
