// test: long
import { expect } from '@jest/globals';
import getPort from 'get-port';
import { api } from '../setup/api/client.ts';
import { inBrowser } from '../setup/browser/chromium.ts';
import { logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { inject } from '../setup/stack/inject.ts';
import { startPart } from '../setup/stack/partOfStack.ts';
import { action, chain, question } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

const set = (id: string) => action(id, 'core.set', { values: { id } }, { name: id });
const broken = action('c', 'testing.fail', { retryable: false }, { name: 'c' });
const CHAIN = { nodes: [set('a'), set('b'), broken, set('d')], edges: chain('a', 'b', 'c', 'd') };

inBrowser(
  'what does not fit an answer is read by itself: graph, question, forecast, the workflow, the editor',
  async () => {
    const { home, owner } = await homeWithOwner();
    // Values of more than 256 bytes have no place in an answer of so few.
    const port = await getPort({ host: '127.0.0.1' });
    const part = await startPart(inject('stack'), 'api', { PORT: String(port), MAX_ANSWER_BYTES: '300' });
    onTestFinished(() => part.kill());
    const workflowId = await home.deploy(CHAIN);
    const { id } = await home.ended(await home.execute(workflowId));
    const asking = await home.execute(
      await home.deploy({ nodes: [question('ask', { title: 'Is it right? '.repeat(20), submitters: 'members' })] }),
    );
    await home.asked(asking, 'ask');
    const small = `http://127.0.0.1:${port}`;
    const answer = await api(small, home.apiKey)('GET', `/api/executions/${id}?expansion=nodes,edges,input`);
    expect(Object.keys(answer.body)).toEqual(expect.arrayContaining(['nodesLink']));
    const { page, complaints } = await openConsole(small, `/console/executions/${id}`);
    await logInThere(page, owner);
    const graph = page.getByRole('region', { name: 'Graph of the execution' });
    for (const name of ['a: Completed', 'c: Failed', 'd: Not yet.'])
      await graph.getByLabel(name, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    const kept = page.getByRole('dialog').getByRole('region', { name: 'Kept' }).getByRole('listitem');
    await kept.nth(1).waitFor();
    expect((await kept.allTextContents()).map((line) => line.trim()[0])).toEqual(['a', 'b']);
    await page.goto(`${small}/console/executions/${asking}`);
    await page.getByRole('button', { name: 'Submit' }).waitFor();
    await page.goto(`${small}/console/workflows/${workflowId}`);
    await page.getByRole('region', { name: 'Graph of the workflow' }).getByLabel(/^d:/).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.locator('[data-id="d"]').waitFor();
    expect(complaints).toEqual([]);
  },
);
