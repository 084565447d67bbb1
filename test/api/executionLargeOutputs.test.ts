import { expect, test } from 'vitest';
import { action, chain, webhook } from '../setup/graph.ts';
import { makeHome, stepOf } from '../setup/home.ts';

const MIB = 1_048_576;

test('a value above the limit is a link with its size in reads, and whole where it leads', async () => {
  const home = await makeHome();
  const graph = {
    nodes: [
      action('big', 'testing.payload', { bytes: MIB }),
      action('on', 'core.set', { values: { d: '{{ steps.big.output.data }}' } }),
    ],
    edges: chain('big', 'on'),
  };
  const execution = await home.run(graph);
  const [big, on] = [stepOf(execution, 'big'), stepOf(execution, 'on')];
  const path = `/api/executions/${execution.id}`;
  expect(big).toMatchObject({ output: null, outputLink: `${path}/steps/${big.id}/output` });
  expect(big.outputBytes).toBeGreaterThan(MIB);
  expect(big.outputBytes).toBeLessThan(MIB + 100);
  expect(big).not.toHaveProperty('inputLink');
  expect(on).toMatchObject({ input: null, inputLink: `${path}/steps/${on.id}/input`, output: null });
  expect(execution).toMatchObject({ output: null, outputLink: `${path}/output`, outputBytes: on.outputBytes });
  expect((await home.api('GET', big.outputLink)).body.data).toHaveLength(MIB);
  expect((await home.api('GET', on.inputLink)).body.values.d).toHaveLength(MIB);
  expect((await home.api('GET', execution.outputLink)).body.d).toHaveLength(MIB);
  expect((await home.api('GET', `${path}/steps`)).body).toEqual(execution.executionPath);
  const last = await home.until(execution.id, (_snapshot) => true);
  expect(last).toMatchObject({ output: null, outputLink: `${path}/output`, executionPath: execution.executionPath });

  const run = await home.api('POST', '/api/actions/run', {
    body: { appId: 'testing', actionId: 'payload', inputs: { bytes: MIB } },
  });
  expect(run.body.output.data).toHaveLength(MIB);
  expect(run.body.executionPath[0]).toMatchObject({ output: null });
  const hook = await home.deploy({ ...graph, trigger: webhook({ respond: 'whenFinished' }) });
  const answer = await home.api('POST', `/api/webhooks/workflows/${hook}`, { body: {} });
  expect(answer.body.d).toHaveLength(MIB);
});

test('five megabytes go through ten steps', async () => {
  const home = await makeHome();
  const bytes = 5 * MIB;
  const ids = Array.from({ length: 9 }, (_, index) => `s${index}`);
  const nodes = ids.map((id, index) =>
    action(id, 'core.transform', { value: `{{ steps.${index === 0 ? 'big' : ids[index - 1]}.output }}` }),
  );
  const execution = await home.run({
    nodes: [action('big', 'testing.payload', { bytes }), ...nodes],
    edges: chain('big', ...ids),
    output: { length: `{{ size(steps.${ids.at(-1)}.output.data) }}` },
  });
  expect(execution).toMatchObject({ status: 'COMPLETED', output: { length: bytes } });
  expect(execution.executionPath).toHaveLength(10);
  for (const { output, outputBytes } of execution.executionPath) {
    expect(output).toBeNull();
    expect(outputBytes).toBeGreaterThan(bytes);
  }
});
