import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { inBrowser } from '../setup/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/consolePage.ts';
import { action, chain, control, edges, type Graph } from '../setup/graph.ts';
import { type Home, homeWithOwner } from '../setup/home.ts';

withBrowser();

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

interface Step {
  label: string;
  reused?: true;
  iteration: object[];
  iterations?: { reused?: number };
}

/** What the API says of a retry: steps outside loops that it kept, loops that go on with kept items, and the others. */
async function keptIn(home: Home, executionId: string) {
  const { executionPath } = (await home.ended(executionId)) as { executionPath: Step[] };
  const top = executionPath.filter(({ iteration }) => iteration.length === 0);
  const goesOn = top.filter(({ iterations }) => (iterations?.reused ?? 0) > 0);
  const kept = top.filter((step) => step.reused === true && !goesOn.includes(step));
  const names = (steps: Step[]) => steps.map(({ label }) => label).sort();
  return { kept: names(kept), goesOn: names(goesOn) };
}

const ITEMS = /^“(.+)”: its /;

/** The lines of a group of the dialog, without states; of loops that go on apart. */
async function linesOf(dialog: Locator, name: string) {
  const lines = await dialog.getByRole('region', { name, exact: true }).getByRole('listitem').allTextContents();
  const plain = lines.map((line) => line.trim().replace(/ ?(Completed|Failed)$/, ''));
  return {
    steps: plain.filter((line) => !ITEMS.test(line)).sort(),
    loops: plain.flatMap((line) => ITEMS.exec(line)?.[1] ?? []).sort(),
  };
}

async function openRetry(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Retry' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('region', { name: 'Kept' }).waitFor();
  return dialog;
}

/** Starts the retry; answers its id. */
async function startedRetry(page: Page, dialog: Locator, executionId: string): Promise<string> {
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await page.waitForURL((url) => url.pathname.includes('/executions/') && !url.pathname.endsWith(executionId));
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

inBrowser(
  'what the dialog foresees is what the retry keeps: a chain, a branch, a loop with a failed item',
  async () => {
    const { home, owner } = await homeWithOwner();
    const { page, complaints } = await openConsole(home.url, '/console/');
    await logInThere(page, owner);
    await page.getByRole('heading', { name: 'Running' }).waitFor();
    const cases = [
      { graph: CHAIN, kept: ['a', 'b'], again: ['c'] },
      { graph: CHAIN, from: 'At “b”', kept: ['a'], again: ['b', 'c'] },
      { graph: BRANCH, kept: ['ask', 'yes'], again: ['end'] },
      { graph: LOOP, kept: ['a'], again: [], loops: ['each'] },
      { graph: LOOP, from: 'At “a”', kept: [], again: ['a', 'each'] },
      { graph: LOOP, from: 'At “divide”', kept: ['a'], again: [], loops: ['each'] },
    ];
    for (const { graph, from, kept, again, loops = [] } of cases) {
      const { id } = await home.run(graph);
      await page.goto(new URL(`/console/executions/${id}`, home.url).href);
      const dialog = await openRetry(page);
      if (from !== undefined) {
        await dialog.getByLabel('Begin').selectOption({ label: from });
        await dialog.getByRole('region', { name: 'Kept' }).waitFor();
      }
      await expect(linesOf(dialog, 'Kept')).resolves.toEqual({ steps: kept, loops });
      await expect(linesOf(dialog, 'Run again')).resolves.toEqual({ steps: again, loops });
      const found = await keptIn(home, await startedRetry(page, dialog, id));
      expect(found.kept).toEqual(kept);
      // From a step that every item had reached, a loop goes on without kept items.
      if (from === undefined) expect(found.goesOn).toEqual(loops);
    }
    expect(complaints).toEqual([]);
  },
);

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
    await dialog.getByRole('radio', { name: 'The newest of the workflow' }).check();
    await dialog.getByRole('region', { name: 'New in the latest definition' }).getByText('One more').waitFor();
    await expect(linesOf(dialog, 'Kept')).resolves.toEqual({ steps: ['a'], loops: [] });
    await expect(linesOf(dialog, 'Run again')).resolves.toEqual({ steps: ['b', 'c'], loops: [] });
    await expectAccessible(page);
    const found = await keptIn(home, await startedRetry(page, dialog, id));
    expect(found).toEqual({ kept: ['a'], goesOn: [] });
    expect(complaints).toEqual([]);
  },
);
