import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { webhook } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

inBrowser('an answer of a workflow does not run as a script of the console', async () => {
  const { home, owner } = await homeWithOwner();
  // Not called JavaScript, which a workflow cannot send: browsers would run this type without nosniff.
  const inputs = { headers: { 'content-type': 'text/plain' }, body: 'window.ran = true;' };
  const workflowId = await home.deploy({
    trigger: webhook({ methods: ['GET'] }),
    nodes: [{ id: 'say', type: 'respond', inputs }],
  });
  const { page } = await openConsole(home.url, '/console/');
  await logInThere(page, owner);
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  /** Puts a script into the page, as a hole in its markup would. */
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
  // A file of the console's own is one that the policy lets through.
  const asset = await page.locator('script[src]').first().getAttribute('src');
  expect((await load(asset ?? '')).outcome).toBe('loaded');
});
