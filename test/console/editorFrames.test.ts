// test: long
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import { logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { action, chain, manual } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

const NODES = Number(process.env.NODES ?? 200);
/** A frame of a loaded machine; on a quiet one see what is printed. */
const MAX_MS = Number(process.env.FRAME_MS ?? 1_000);

/** In the page: `frames` takes the time of each frame from now on, in milliseconds. */
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
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { count: all.length, middleMs: at(0.5), slowMs: at(0.95), longestMs: at(1) };
}

inBrowser(
  'two hundred nodes are moved, walked and written in, and no frame takes long',
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
