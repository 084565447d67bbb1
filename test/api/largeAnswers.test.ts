import { expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { DEFAULT_ANSWER_BYTES } from '../../domain/limits.ts';
import { api } from '../setup/api/client.ts';
import { action, webhook } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';
import { makeWorkspace, stackDatabase } from '../setup/workspace/workspace.ts';

test('a list shows 16 MiB of values, and where the rest of them is', async () => {
  const { url, apiKey, workspaceId } = await makeWorkspace();
  const call = api(url, apiKey);
  const value = 'x'.repeat(500_000);
  const count = 40;
  for (let index = 0; index < count; index += 10) {
    const data = Array.from({ length: 10 }, (_, at) => ({ id: v7(), workspaceId, name: `v${index + at}`, value }));
    await stackDatabase().variable.createMany({ data });
  }
  const { status, body, headers } = await call('GET', '/api/variables?expansion=value');
  expect([status, headers.get('link'), body.length]).toEqual([200, null, count]);
  const bytes = JSON.stringify(value).length;
  const fitting = Math.floor(DEFAULT_ANSWER_BYTES / bytes);
  const shown = body.filter((each: { value: string | null }) => each.value === value);
  expect(shown).toHaveLength(fitting);
  expect(JSON.stringify(body).length).toBeLessThan(DEFAULT_ANSWER_BYTES + 100_000);
  const { valueLink, valueBytes } = body.at(-1);
  expect(valueBytes).toBe(bytes);
  expect((await call('GET', valueLink)).body.value).toBe(value);
});

/** MAX_OUTPUT_BYTES: the largest output of a step, and so of a webhook. */
const MAX_BYTES = 10_485_760;
const AROUND = '{"data":""}'.length;

test('a webhook answers the largest output there may be as a whole, and one byte more is the failure of its step', async () => {
  const home = await makeHome();
  const hook = await home.deploy({
    trigger: webhook({ respond: 'whenFinished' }),
    nodes: [action('give', 'testing.payload', { bytes: '{{ trigger.body.bytes }}' })],
  });
  const answerOf = (bytes: number) => api(home.url)('POST', `/api/webhooks/workflows/${hook}`, { body: { bytes } });
  const largest = await answerOf(MAX_BYTES - AROUND);
  expect([largest.status, largest.body.data?.length]).toEqual([200, MAX_BYTES - AROUND]);
  const above = await answerOf(MAX_BYTES - AROUND + 1);
  expect(above).toMatchObject({ status: 500, body: { code: 'EXECUTION_FAILED' } });
  expect(above.body.detail).toContain(`The output has ${MAX_BYTES + 1} bytes; at most ${MAX_BYTES} are allowed`);
});

test('a webhook takes a body of MAX_BODY_BYTES, and not one byte more', async () => {
  const home = await makeHome();
  const hook = await home.deploy({
    trigger: webhook({ respond: 'whenFinished' }),
    nodes: [action('size', 'core.set', { values: { size: '{{ size(trigger.body) }}' } })],
  });
  const send = (bytes: number) =>
    api(home.url)('POST', `/api/webhooks/workflows/${hook}`, {
      body: 'x'.repeat(bytes),
      headers: { 'content-type': 'text/plain' },
    });
  expect((await send(1_048_576)).body).toEqual({ size: 1_048_576 });
  expect((await send(1_048_577)).body.code).toBe('PAYLOAD_TOO_LARGE');
});
