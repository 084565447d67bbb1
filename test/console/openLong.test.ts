// test: long
import { expect } from '@jest/globals';
import type { CDPSession } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import { logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { action, chain } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

/** Long form: OPEN_MINUTES=60 prints the page's memory every minute. */
const MINUTES = Number(process.env.OPEN_MINUTES ?? 0);
/** Minimum number of rounds, however long they take: fewer would hide growth on a slow machine. */
const ROUNDS = 15;
/** Executions to start in each round, while the list is open. */
const STARTS = 5;
/** Allowed growth from the middle to the last part: 10 %, plus the amounts that a short run still loads. */
const GROWTH = 1.1;
const MORE_BYTES = 3_000_000;
const MORE_NODES = 2_000;

interface Held {
  minute: number;
  bytes: number;
  nodes: number;
}

async function heldBy(tools: CDPSession, minute: number): Promise<Held> {
  await tools.send('HeapProfiler.collectGarbage');
  const { metrics } = await tools.send('Performance.getMetrics');
  const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { minute, bytes: value('JSHeapUsedSize'), nodes: value('Nodes') };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

inBrowser(
  'the console does not use more memory over time, amid changes and navigation',
  async () => {
    const { home, owner } = await homeWithOwner();
    const quick = await home.deploy({
      slug: 'quick',
      name: 'Quick',
      nodes: [action('a', 'testing.wait', { ms: 1 }), action('b', 'testing.wait', { ms: 1 })],
      edges: chain('trigger', 'a', 'b'),
    });
    await home.ended(await home.execute(quick));
    const { page, complaints } = await openConsole(home.url, '/console/executions');
    await logInThere(page, owner);
    const tools = await page.context().newCDPSession(page);
    await tools.send('Performance.enable');
    const held: Held[] = [];
    const startedAt = Date.now();
    const minutes = () => (Date.now() - startedAt) / 60_000;
    const menu = page.getByRole('navigation').first();
    const table = page.getByRole('table', { name: 'Executions' });
    await table.waitFor();
    while (held.length < ROUNDS || minutes() < MINUTES) {
      const ids = await Promise.all(Array.from({ length: STARTS }, () => home.execute(quick)));
      await Promise.all(ids.map((id) => home.finished(id)));
      await page.getByRole('button', { name: /new execution/ }).click();
      await table.getByRole('link', { name: /^#/ }).first().click();
      await page.getByRole('heading', { name: /Quick$/ }).waitFor();
      await menu.getByRole('link', { name: 'Home' }).click();
      await page.getByRole('heading', { name: 'Running' }).waitFor();
      await menu.getByRole('link', { name: 'Executions' }).click();
      await table.waitFor();
      held.push(await heldBy(tools, minutes()));
    }
    const part = (from: number, to: number) => held.slice(from * held.length, to * held.length);
    const [early, late] = [part(0.4, 0.6), part(0.8, 1)];
    const bytes = [early, late].map((some) => median(some.map((each) => each.bytes))) as [number, number];
    const nodes = [early, late].map((some) => median(some.map((each) => each.nodes))) as [number, number];
    if (process.env.OPEN_MINUTES) {
      for (const each of held.filter(
        ({ minute }, index) => index === 0 || Math.floor(minute) > Math.floor(held[index - 1]?.minute ?? 0),
      ))
        console.info(`minute ${Math.floor(each.minute)}: ${(each.bytes / 1e6).toFixed(1)} MB, ${each.nodes} nodes`);
    }
    expect(bytes[1]).toBeLessThan(bytes[0] * GROWTH + MORE_BYTES);
    expect(nodes[1]).toBeLessThan(nodes[0] * GROWTH + MORE_NODES);
    expect(complaints).toEqual([]);
  },
  (MINUTES + 5) * 60_000,
);
