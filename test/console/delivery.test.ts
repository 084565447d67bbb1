// test: long

import { describe, expect } from '@jest/globals';
import getPort from 'get-port';
import { api } from '../setup/api/client.ts';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { form } from '../setup/browser/editorPage.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { poll } from '../setup/jest/poll.ts';
import { inject } from '../setup/stack/inject.ts';
import { startPart } from '../setup/stack/partOfStack.ts';
import { action, chain, question, webhook } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

// A host without HTTPS: browsers give its pages no locks, no clipboard and no crypto.randomUUID.
const HOST = 'perdure.internal';

withBrowser(`--host-resolver-rules=MAP ${HOST} 127.0.0.1`);

describe('a new version', () => {
  inBrowser('reports a part that a new version has removed, and loads it at the next try', async () => {
    const { home, owner } = await homeWithOwner();
    const { page } = await openConsole(home.url, '/console/queues');
    await logInThere(page, owner);
    await page.getByRole('heading', { name: 'Queues', exact: true }).waitFor();
    const parts = '**/console/assets/Finder*';
    await page.route(parts, (route) => route.fulfill({ status: 404 }));
    await page.keyboard.press('Control+k');
    await page.getByRole('alert').getByText('there may be a new version').waitFor();
    await expectAccessible(page);
    await page.unroute(parts);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Queues', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Jump to' }).waitFor();
  });
});

describe('plain HTTP', () => {
  inBrowser('the console works over plain http', async () => {
    const { home, owner } = await homeWithOwner();
    const fields = [{ key: 'yes', label: 'Yes', type: 'boolean', required: false }];
    const workflowId = await home.deploy({ name: 'Ask', nodes: [question('ask', { fields, submitters: 'members' })] });
    const address = new URL(home.url);
    address.hostname = HOST;
    const { page, complaints } = await openConsole(address.href, `/console/workflows/${workflowId}`);
    expect(await page.evaluate('window.isSecureContext')).toBe(false);
    await logInThere(page, owner);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('heading', { name: '#1 Ask' }).waitFor();
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('status').getByText('Completed').waitFor();
    await page.goto(new URL('/console/executions', address).href);
    await page.getByRole('link', { name: '#1' }).waitFor();
    await home.execute(workflowId);
    await page.getByRole('button', { name: 'Show 1 new execution' }).waitFor();
    const hook = await home.deploy({ name: 'Hook', trigger: webhook(), nodes: [] });
    await page.goto(new URL(`/console/workflows/${hook}?tab=triggers`, address).href);
    await page.getByRole('button', { name: 'Copy the address' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await page.goto(new URL('/console/workflows/new', address).href);
    await form(page).getByLabel('Name').fill('Half done');
    await poll(() => page.evaluate('JSON.stringify(localStorage)')).toContain('Half done');
    await page.reload();
    await page.getByRole('button', { name: 'Resume the draft' }).click();
    await poll(() => form(page).getByLabel('Name').inputValue()).toBe('Half done');
    // Browsers warn about this header on pages without HTTPS.
    expect(complaints.filter((text) => !text.includes('Cross-Origin-Opener-Policy'))).toEqual([]);
  });
});

describe('scripts of tenants', () => {
  inBrowser('an answer of a workflow does not run as a script of the console', async () => {
    const { home, owner } = await homeWithOwner();
    // Not a JavaScript type, which workflows cannot send. Browsers would run this one without nosniff.
    const inputs = { headers: { 'content-type': 'text/plain' }, body: 'window.ran = true;' };
    const workflowId = await home.deploy({
      trigger: webhook({ methods: ['GET'] }),
      nodes: [{ id: 'say', type: 'respond', inputs }],
    });
    const { page } = await openConsole(home.url, '/console/');
    await logInThere(page, owner);
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
    /** Adds a script to the page, as an injection into its markup would. */
    const load = (source: string) =>
      page.evaluate<{ outcome: string; violations: string[]; ran: boolean }>(`new Promise((done) => {
      const violations = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => violations.push(effectiveDirective));
      const script = document.createElement('script');
      const say = (outcome) => setTimeout(() => done({ outcome, violations, ran: window.ran === true }), 0);
      script.onload = () => say('loaded');
      script.onerror = () => say('refused');
      script.src = '${source}';
      document.head.append(script);
    })`);
    const own = `/api/webhooks/workflows/${workflowId}`;
    for (const source of [
      own,
      `${own}?callback=x`,
      `/console/assets/..%2f..%2f${own.slice(1)}`,
      `/console/assets/../..${own}`,
    ]) {
      expect([source, await load(source)]).toEqual([
        source,
        { outcome: 'refused', violations: expect.any(Array), ran: false },
      ]);
    }
    expect((await load(own)).violations).toContain('script-src-elem');
    const asset = await page.locator('script[src]').first().getAttribute('src');
    expect((await load(asset ?? '')).outcome).toBe('loaded');
  });
});

describe('a build without the console', () => {
  const set = (id: string) => action(id, 'core.set', { values: { id } }, { name: id });
  const broken = action('c', 'testing.fail', { retryable: false }, { name: 'c' });
  const CHAIN = { nodes: [set('a'), set('b'), broken, set('d')], edges: chain('a', 'b', 'c', 'd') };

  inBrowser(
    'reads values that do not fit an answer separately: graph, question, forecast, workflow, editor',
    async () => {
      const { home, owner } = await homeWithOwner();
      // Values of more than 256 bytes do not fit into an answer of this size.
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
      const kept = page.getByRole('dialog').getByRole('region', { name: 'Reused' }).getByRole('listitem');
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
});
