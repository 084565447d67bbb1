import { expect, test } from '@jest/globals';
import { DEFAULT_READ_LIMITS } from '../../domain/execution/readLimits.ts';
import { readSnapshot } from '../../prisma/store/execution/readSnapshot.ts';
import { action, chain, webhook } from '../setup/workspace/graph.ts';
import { makeHome, stepOf } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape was checked against openapi.yaml
type Loose = any;

const MIB = 1_048_576;

test('a value above the limit is a link with its size, and whole where it leads; one execution shows its output', async () => {
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
  expect(execution.output.d).toHaveLength(MIB);
  expect(execution).not.toHaveProperty('outputLink');
  const [listed] = (await home.api('GET', '/api/executions?expansion=output')).body;
  expect(listed).toMatchObject({ output: null, outputLink: `${path}/output`, outputBytes: on.outputBytes });
  expect((await home.api('GET', big.outputLink)).body.data).toHaveLength(MIB);
  expect((await home.api('GET', on.inputLink)).body.values.d).toHaveLength(MIB);
  expect((await home.api('GET', listed.outputLink)).body.d).toHaveLength(MIB);
  expect((await home.api('GET', `${path}/steps`)).body).toEqual(execution.executionPath);
  const last = await home.finished(execution.id);
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

test('a read shows the newest values until EXECUTION_PATH_BYTES are full, small ones always, and links to the rest', async () => {
  const home = await makeHome();
  const ids = Array.from({ length: 25 }, (_, index) => `s${index}`);
  const bytes = 200_000;
  const execution = await home.run({
    nodes: [...ids.map((id) => action(id, 'testing.payload', { bytes })), action('on', 'core.set', { values: {} })],
    edges: chain(...ids, 'on'),
  });
  const shown = execution.executionPath.filter(({ output }: { output: unknown }) => output !== null);
  expect(shown.map(({ nodeId }: { nodeId: string }) => nodeId)).toEqual([...ids.slice(-20), 'on']);
  for (const id of ids) expect(stepOf(execution, id).input).toEqual({ bytes });
  const oldest = stepOf(execution, 's0');
  expect((await home.api('GET', oldest.outputLink)).body.data).toHaveLength(bytes);
  const path = `/api/executions/${execution.id}/steps`;
  expect((await home.api('GET', `${path}/${oldest.id}`)).body.output.data).toHaveLength(bytes);
  expect((await home.api('GET', `${path}?limit=1`)).body[0].output.data).toHaveLength(bytes);
});

test('consoles count too: one that does not fit is a link to its step', async () => {
  const home = await makeHome();
  const code = 'for (let i = 0; i < 40; i++) console.log("x".repeat(100)); return input;';
  const execution = await home.run({
    nodes: [action('a', 'code.javascript', { code, input: 1 }), action('b', 'code.javascript', { code, input: 2 })],
    edges: chain('a', 'b'),
  });
  const limits = { ...DEFAULT_READ_LIMITS, pathBytes: 7_000 };
  const path = (await readSnapshot(stackDatabase(), home.workspaceId, execution.id, limits))?.executionPath as Loose[];
  const [a, b] = [stepOf(execution, 'a'), stepOf(execution, 'b')];
  const { console: lines, ...rest } = a;
  const link = `/api/executions/${execution.id}/steps/${a.id}`;
  expect(path.map(({ icon: _, ...step }) => step)).toEqual(
    [{ ...rest, consoleLink: link, consoleBytes: Buffer.byteLength(JSON.stringify(lines)) + spaces(lines) }, b].map(
      ({ icon: _, ...step }) => step,
    ),
  );
  expect((await home.api('GET', link)).body).toEqual(a);
});

/** Postgres writes a space after each comma and colon of JSON: four per line, except for the last comma. */
function spaces(lines: unknown[]): number {
  return lines.length * 4 - 1;
}

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
