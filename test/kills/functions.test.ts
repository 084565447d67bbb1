// test: long
import { expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { commandFolder } from '../setup/stack/commandLine.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { action } from '../setup/workspace/graph.ts';

/** Read at each start of the stack. */
const environment: Record<string, string> = {};
const { stack, home } = await ownHome({ environment });

const PRINTER = `import { defineAction } from 'perdure-client/functions';
export const print = defineAction({
  name: 'Print',
  repeatable: true,
  inputs: { fields: [{ key: 'url', type: 'text', required: true }] },
  async run({ url }, { attempt, idempotencyKey }) {
    const answer = await fetch(url, { method: 'POST', headers: { 'idempotency-key': idempotencyKey } });
    return { attempt, said: await answer.text() };
  },
});
`;

function printerFolder() {
  const { url, apiKey, projectId } = home;
  const folder = commandFolder({ PERDURE_URL: url, PERDURE_API_KEY: apiKey, PERDURE_PROJECT: projectId });
  folder.write({ 'functions/printer.ts': PRINTER });
  return folder;
}

const print = (url: string) => ({
  nodes: [action('print', 'printer.print', { url }, { retry: { maximumAttempts: 3 } })],
  output: '{{ steps.print.output }}',
});

test('a function whose worker was killed runs again, under the same key', async () => {
  let isBack = false;
  const { url, calls } = await loopback((_, response) => {
    if (isBack) response.end('printed');
  });
  expect(await printerFolder().perdure(['apply', '--yes'])).toMatchObject({ code: 0 });
  const executionId = await home.execute(await home.deploy(print(url)));
  await poll(() => calls.length, { timeout: 30_000 }).toBe(1);
  await stack.killMain();
  isBack = true;
  await stack.startAgain();
  expect(await home.ended(executionId)).toMatchObject({ status: 'COMPLETED', output: { said: 'printed' } });
  const keys = calls.map(({ headers }) => headers['idempotency-key']);
  expect(keys.length).toBeGreaterThan(1);
  expect(new Set(keys).size).toBe(1);
});

test('without the runner an apply, an upsert and a step say RUNNER_OFF', async () => {
  const { url, calls } = await loopback((_, response) => void response.end('printed'));
  const folder = printerFolder();
  expect(await folder.perdure(['apply', '--yes'])).toMatchObject({ code: 0 });
  const workflowId = await home.deploy(print(url));
  await stack.stop();
  environment.RUNNER = 'false';
  await stack.startAgain();

  const ended = await home.ended(await home.execute(workflowId));
  expect(ended).toMatchObject({ status: 'FAILED', executionPath: [{ error: { code: 'RUNNER_OFF' } }] });
  expect(calls).toEqual([]);
  const runs = { on: 'function', bundle: '0'.repeat(64) };
  const body = { slug: 'other', runs, actions: [{ actionId: 'a' }] };
  const upserted = await home.api('POST', `/api/projects/${home.projectId}/apps/upsert`, { body });
  expect(upserted).toMatchObject({ status: 409, body: { code: 'RUNNER_OFF' } });
  folder.write({ 'functions/printer.ts': PRINTER.replace("'Print'", "'Print it'") });
  const applied = await folder.perdure(['apply', '--yes']);
  expect([applied.code === 0, applied.stdout + applied.stderr]).toEqual([false, expect.stringContaining('RUNNER')]);
});
