// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { action, chain, control } from '../setup/workspace/graph.ts';
import { type Home, homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

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

inBrowser('a retry stands beside the first execution with the items of the loop that it kept', async () => {
  const { home, owner } = await homeWithOwner();
  const { id: first } = await home.run(graph('{{ 1 / 0 }}'));
  const second = await retried(home, first, {});
  await home.deploy(graph('{{ 1 / 1 }}'));
  const third = await retried(home, second, { version: 'latest' });
  // The loop was kept as a whole: its items are in the first execution alone.
  expect((await home.read(third)).executionPath.length).toBe(2);
  const { page, complaints } = await openConsole(home.url, `/console/executions/${second}/compare`);
  await logInThere(page, owner);
  const steps = page.getByRole('region', { name: 'Steps of both' });
  await steps.getByText('All 5 steps are the same.').waitFor();
  await page.goto(new URL(`/console/executions/${third}/compare?with=${first}`, home.url).href);
  await steps.getByText('1 of 5 steps differ.').waitFor();
  await page.getByRole('switch', { name: 'Only what differs' }).click();
  const places = steps.locator('.compared-place');
  expect(await places.allTextContents()).toEqual([
    ...['each', 'each[0] › divide', 'each[1] › divide', 'each[2] › divide'],
    'after',
  ]);
  const broken = steps.getByRole('listitem').filter({ hasText: 'each[1]' });
  expect(await broken.getByText('Failed').count()).toBe(2);
  await broken.getByRole('button').click();
  await broken.getByText('Both have the same.').first().waitFor();
  // Both have the same name; their numbers tell them apart.
  await page.goto(new URL(`/console/executions/${third}`, home.url).href);
  await page.getByRole('link', { name: '#2 Loop', exact: true }).waitFor();
  expect(complaints).toEqual([]);
});
