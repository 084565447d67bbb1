import { beforeAll, expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { action, chain, control } from '../setup/workspace/graph.ts';
import { type Home, makeHome, stepOf } from '../setup/workspace/home.ts';

let home: Home;
beforeAll(async () => {
  home = await makeHome();
});

const set = (id: string, value: string) => action(id, 'core.transform', { value });

test('waits for a duration, and is seen waiting', async () => {
  const workflowId = await home.deploy({
    nodes: [control('wait', 'delay', { forMs: 3_000 }), set('after', '{{ steps.wait.output.resumedAt }}')],
    edges: chain('wait', 'after'),
  });
  const executionId = await home.execute(workflowId);
  await poll(async () => (await home.read(executionId)).status, { interval: 20 }).toBe('WAITING');
  const waiting = await home.read(executionId, 'continueExecutionAt');
  const ended = await home.ended(executionId);
  expect(ended.status).toBe('COMPLETED');
  if (waiting.status === 'WAITING') {
    expect(Date.parse(ended.output)).toBeGreaterThanOrEqual(Date.parse(waiting.continueExecutionAt));
  }
});

test('never ends before its time, however its timer and its worker meet', async () => {
  const times = Array.from({ length: 12 }, (_, index) => 10 + index * 35);
  const ended = await home.run({
    nodes: times.map((forMs, index) => control(`wait${index}`, 'delay', { forMs })),
  });
  expect(ended.status).toBe('COMPLETED');
  for (const [index, forMs] of times.entries()) {
    const { startedAt, stoppedAt, output } = stepOf(ended, `wait${index}`);
    expect(Date.parse(stoppedAt) - Date.parse(startedAt)).toBeGreaterThanOrEqual(forMs);
    expect(Date.parse(output.resumedAt) - Date.parse(startedAt)).toBeGreaterThanOrEqual(forMs);
  }
});

test('until a time; a past one does not wait; nonsense is an error', async () => {
  const until = (value: string) => ({ nodes: [control('wait', 'delay', { until: value })] });
  expect((await home.run(until('2020-01-01T00:00:00Z'))).status).toBe('COMPLETED');
  const soon = new Date(Date.now() + 300).toISOString();
  const ended = await home.run(until(`{{ "${soon}" }}`));
  expect(Date.parse(ended.output.resumedAt)).toBeGreaterThanOrEqual(Date.parse(soon));
  expect(await home.run(until('{{ "tomorrow" }}'))).toMatchObject({
    status: 'FAILED',
    statusMessage: expect.stringContaining('expected a time'),
  });
});
