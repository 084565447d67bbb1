// test: long
import { beforeAll, expect, test } from '@jest/globals';
import { expectAbout } from '../setup/jest/expectAbout.ts';
import { poll } from '../setup/jest/poll.ts';
import { engineStatus, stackTemporal } from '../setup/stack/temporal.ts';
import { action, edges, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

let home: Home;
beforeAll(async () => {
  home = await makeHome();
});

/** Long form: HISTORY_ATTEMPTS=1000, which would be 88,000 events, more than the server allows. */
const ATTEMPTS = Number(process.env.HISTORY_ATTEMPTS ?? 60);
const NODES = Array.from({ length: 8 }, (_, index) => `n${index}`);
/** The budget of repetitions (temporal-workflows/workflowBudget.ts) plus the events of the nodes and their workflows. */
const MAX_EVENTS = 2_000 + NODES.length * 20 + 50;

async function eventsOf(workflowId: string): Promise<number> {
  return (await (await stackTemporal()).workflow.getHandle(workflowId).describe()).historyLength;
}

test(
  'a history does not grow with the retries of its nodes',
  async () => {
    const retry = { maximumAttempts: ATTEMPTS, initialIntervalMs: 1, maximumIntervalMs: 1 };
    const execution = await home.run({
      nodes: NODES.map((id) =>
        action(id, 'testing.fail', { times: ATTEMPTS - (id === 'n0' ? 1 : 0) }, { retry, onError: 'continue' }),
      ),
    });
    expect(execution.status).toBe('COMPLETED');
    const ended = execution.executionPath.map(({ nodeId, status, attempt }: Record<string, unknown>) => ({
      nodeId,
      status,
      attempt,
    }));
    expect(ended).toEqual(
      NODES.map((nodeId) => ({ nodeId, status: nodeId === 'n0' ? 'COMPLETED' : 'FAILED', attempt: ATTEMPTS })),
    );
    await engineStatus(execution.id);
    expect(await eventsOf(execution.id)).toBeLessThan(MAX_EVENTS);
    for (const id of NODES) expectAbout(await engineStatus(`${execution.id}/${id}`), id).toBe('COMPLETED');
  },
  180_000 + 1_000 * ATTEMPTS,
);

test('a retry that waits in a workflow of its own is cancelled with its execution', async () => {
  // Together they use one history's budget for retries.
  const soon = { maximumAttempts: 30, initialIntervalMs: 1, maximumIntervalMs: 1 };
  const executionId = await home.execute(
    await home.deploy({
      nodes: [
        ...NODES.map((id) => action(id, 'testing.fail', { times: 25 }, { retry: soon })),
        action('late', 'testing.fail', {}, { retry: { maximumAttempts: 3, initialIntervalMs: 600_000 } }),
      ],
      edges: edges(...NODES.map((id) => `${id}>late`)),
    }),
  );
  await home.until(
    executionId,
    ({ executionPath }) =>
      executionPath?.find(({ nodeId }: { nodeId: string }) => nodeId === 'late')?.status === 'RETRYING',
  );
  const child = (await stackTemporal()).workflow.getHandle(`${executionId}/late`);
  await poll(() =>
    child.describe().then(
      ({ status }) => status.name,
      () => 'none',
    ),
  ).toBe('RUNNING');
  expect((await home.api('POST', `/api/executions/${executionId}/cancel`)).status).toBe(200);
  expect((await home.ended(executionId)).status).toBe('CANCELLED');
  expect(await engineStatus(`${executionId}/late`)).toBe('CANCELLED');
});

/** The maximum size that the server accepts; it ends a workflow with a history of 50 MB. */
const SIGNAL_BYTES = 1_900_000;
const MAX_SIGNALS = 40;

test('an execution that the server ends for its long history is FAILED with that reason', async () => {
  const executionId = await home.execute(await home.deploy({ nodes: [question('ask')] }));
  await home.asked(executionId, 'ask');
  const handle = (await stackTemporal()).workflow.getHandle(executionId);
  const text = 'x'.repeat(SIGNAL_BYTES);
  for (let sent = 0; sent < MAX_SIGNALS; sent += 1) {
    const taken = await handle.signal('unknown', text).then(
      () => true,
      () => false,
    );
    if (!taken) break;
  }
  expect(await engineStatus(executionId)).toBe('TERMINATED');
  const execution = await home.ended(executionId);
  expect(execution.status).toBe('FAILED');
  expect(execution.statusMessage).toMatch(/^The engine ended it: .*history size exceeds limit/i);
});
