// test: long
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { action, chain, control, manual } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

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
      // The editor of code has taken the field's place.
      await page.locator('.cm-content:focus').waitFor();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText(text);
    };
    const saved = async (version: number, nodeId: string, inputs: object) => {
      await page.getByRole('region', { name: 'Problems' }).getByText('No problems.').waitFor();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText(`Saved as version ${version}.`).waitFor();
      const { body } = await home.api('GET', `/api/workflows/${id}?expansion=nodes`);
      expect(body.nodes.find((node: { id: string }) => node.id === nodeId).inputs).toEqual(inputs);
    };
    await field(page, 'For').waitFor();
    expect(await field(page, 'For').inputValue()).toBe('5 min');
    await write('For', 'two weeks');
    await page.getByText('Write how long: 30 s, 5 min, 1 h 30 min.').waitFor();
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
