// test: long
import { beforeAll, expect, test } from '@jest/globals';
import { engineStatus, stackTemporal } from '../setup/stack/temporal.ts';
import { action, chain, control, edges, manual } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

let home: Home;
beforeAll(async () => {
  home = await makeHome();
});

/** Deploys a workflow with that many nodes, most of them behind a condition that is never true. */
function wide(nodes: number): Promise<string> {
  const names = Array.from({ length: nodes - 2 }, (_, at) => `never${at}`);
  return home.deploy({
    trigger: manual({ key: 'n', label: 'N', type: 'number' }),
    nodes: [
      control('never', 'condition', { condition: '{{ 1 > 2 }}' }),
      action('double', 'core.transform', { value: '{{ trigger.n * 2 }}' }),
      ...names.map((name) => action(name, 'core.transform', { value: 1 })),
    ],
    output: '{{ steps.double.output }}',
    edges: edges('trigger>never', 'trigger>double', ...names.map((name) => `never:true>${name}`)),
  });
}

function callsOf(workflowId: string, items: number, concurrency: number) {
  const call = { workflowId, input: { n: '{{ loop.item }}' } };
  return {
    nodes: [
      control('each', 'forEach', { items: Array.from({ length: items }, (_, n) => n), concurrency }),
      control('call', 'runWorkflow', call, { parentId: 'each' }),
    ],
  };
}

async function sizeOf(workflowId: string): Promise<{ bytes: number; events: number }> {
  const { raw } = await (await stackTemporal()).workflow.getHandle(workflowId).describe();
  const { historySizeBytes, historyLength } = raw.workflowExecutionInfo ?? {};
  return { bytes: Number(historySizeBytes), events: Number(historyLength) };
}

test('a loop of 25 at once over a workflow of 900 nodes completes, and its history holds ids', async () => {
  const workflowId = await wide(900);
  const execution = await home.run(callsOf(workflowId, 25, 25));
  expect(execution).toMatchObject({ status: 'COMPLETED', output: Array.from({ length: 25 }, (_, n) => n * 2) });
  await engineStatus(execution.id);
  const { bytes } = await sizeOf(execution.id);
  // A plan of 900 nodes is over 100 KB.
  expect(bytes / 25).toBeLessThan(6_000);

  // As many as one region reaches without a loop, so that one marker contains their starts.
  const names = Array.from({ length: 12 }, (_, n) => `call${n}`);
  const beside = await home.run({
    nodes: names.map((name, n) => control(name, 'runWorkflow', { workflowId, input: { n } })),
    output: `{{ [${names.map((name) => `steps.${name}.output`).join(', ')}] }}`,
  });
  expect(beside).toMatchObject({ status: 'COMPLETED', output: names.map((_, n) => n * 2) });
  await engineStatus(beside.id);
  expect((await sizeOf(beside.id)).bytes / names.length).toBeLessThan(6_000);
}, 180_000);

test('iterations over a workflow of 450 nodes cost their history some bytes each, in whatever workflow they run', async () => {
  const items = Number(process.env.LARGE_ITERATIONS ?? 150);
  const execution = await home.run(callsOf(await wide(450), items, 10));
  expect(execution.status).toBe('COMPLETED');
  await engineStatus(execution.id);
  const child = `${execution.id}/each:0`;
  await engineStatus(child);
  const own = await sizeOf(child);
  expect(own.bytes / items).toBeLessThan(6_000);
  // temporal-workflows/historyCost.ts assumes this size for an event.
  expect(own.bytes / own.events).toBeLessThan(500);
  expect((await sizeOf(execution.id)).bytes).toBeLessThan(40_000);
}, 300_000);

test('a node that continues in a separate workflow costs its parent only ids, however large the plan', async () => {
  const others = Array.from({ length: 200 }, (_, at) => `plain${at}`);
  const retry = { maximumAttempts: 250, initialIntervalMs: 1, maximumIntervalMs: 1 };
  const execution = await home.run({
    nodes: [
      ...others.map((id) => action(id, 'core.transform', { value: 1 })),
      action('again', 'testing.fail', { times: 249 }, { retry }),
      action('after', 'core.transform', { value: 2 }),
    ],
    edges: [...chain(...others, 'again', 'after')],
  });
  expect(execution.status).toBe('COMPLETED');
  expect(await engineStatus(`${execution.id}/again`)).toBe('COMPLETED');
  const handle = (await stackTemporal()).workflow.getHandle(execution.id);
  const { events } = await handle.fetchHistory();
  const started = events?.find((event) => event.startChildWorkflowExecutionInitiatedEventAttributes);
  const [input] = started?.startChildWorkflowExecutionInitiatedEventAttributes?.input?.payloads ?? [];
  expect(input?.data?.length).toBeLessThan(1_500);
}, 180_000);
