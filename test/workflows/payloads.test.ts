import { expect, test } from '@jest/globals';
import { isTerminal } from '../../domain/execution/status.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { action, chain } from '../setup/workspace/graph.ts';
import { makeHome, stepOf } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const BYTES = 5 * 1_024 * 1_024;
/** The size of a history without payloads, although 50 MiB passed through it. */
const MAX_HISTORY_BYTES = 32_768;

test('5 MiB through ten steps: whole at the end, and none of it in the history', async () => {
  const home = await makeHome();
  const ids = Array.from({ length: 10 }, (_, index) => `s${index}`);
  const nodes = ids.map((id, index) => {
    if (index === 0) return action(id, 'testing.payload', { bytes: BYTES });
    const before = `{{ steps.s${index - 1}.output }}`;
    // Alternates inline and remote steps, the two paths of a payload.
    return index % 2 === 0
      ? action(id, 'core.transform', { value: before })
      : action(id, 'testing.succeed', { output: before });
  });
  const output = '{{ size(steps.s9.output.data) }}';
  const executionId = await home.execute(await home.deploy({ nodes, edges: chain(...ids), output }));
  const read = async () =>
    (await home.api('GET', `/api/executions/${executionId}?expansion=status,statusMessage,output`)).body;
  await poll(async () => isTerminal((await read()).status), { timeout: 100_000, interval: 500 }).toBe(true);
  expect(await read()).toMatchObject({ status: 'COMPLETED', output: BYTES });

  const [stored] = await stackDatabase().$queryRaw<{ whole: number }[]>`
    SELECT count(*)::int AS whole FROM execution_steps
    WHERE execution_id = ${executionId}::uuid AND length(output->>'data') = ${BYTES}`;
  expect(stored?.whole).toBe(10);
  const handle = (await stackTemporal()).workflow.getHandle(executionId);
  await handle.result();
  expect((await handle.describe()).historySize).toBeGreaterThan(0);
  expect((await handle.describe()).historySize).toBeLessThan(MAX_HISTORY_BYTES);
}, 120_000);

test.each([
  ['inline', 5_000],
  ['inline', 100_000],
  ['remote', 100_000],
])('JSON that is nested too deeply fails its step, %s: %i levels', async (how, levels) => {
  const home = await makeHome();
  const text = '['.repeat(levels) + ']'.repeat(levels);
  const json = { 'content-type': 'application/json' };
  const server = await loopback((_, response) => void response.writeHead(200, json).end(text));
  const step =
    how === 'inline'
      ? action('deep', 'text.parseJson', { text })
      : action('deep', 'http.request', { url: server.url, method: 'GET' });
  const execution = await home.run({ nodes: [step] });
  expect(execution.status).toBe('FAILED');
  expect(stepOf(execution, 'deep').error).toEqual({
    code: 'OUTPUT_TOO_DEEP',
    message: 'The output is nested too deeply; at most 100 levels are allowed',
    attempt: 1,
  });
});
