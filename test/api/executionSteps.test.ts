import { expect, test } from '@jest/globals';
import { insertLoopSteps } from '../setup/database/loopRows.ts';
import { expectAbout } from '../setup/jest/expectAbout.ts';
import { action, chain, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape was checked against openapi.yaml
type Loose = any;

const GRAPH = {
  nodes: [action('a', 'core.set', { values: { x: 1 } }), action('b', 'core.set', { values: { y: 2 } })],
  edges: chain('a', 'b'),
};

async function pages(home: Home, path: string): Promise<Loose[][]> {
  const all: Loose[][] = [];
  let next: string | undefined = path;
  while (next !== undefined) {
    const { status, body, headers }: Loose = await home.api('GET', next);
    expect(status).toBe(200);
    all.push(body);
    const link: string | undefined = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    next = link === undefined ? undefined : `${new URL(link).pathname}${new URL(link).search}`;
  }
  return all;
}

test('steps are listed as the path shows them, by page, and read one by one', async () => {
  const home = await makeHome();
  const execution = await home.run(GRAPH);
  const path = `/api/executions/${execution.id}/steps`;
  expect((await home.api('GET', path)).body).toEqual(execution.executionPath);
  const [first, second, ...more] = await pages(home, `${path}?limit=1`);
  expect([first, second, more]).toEqual([[execution.executionPath[0]], [execution.executionPath[1]], []]);

  const step = execution.executionPath[1];
  expect((await home.api('GET', `${path}/${step.id}`)).body).toEqual(step);
  expect((await home.api('GET', `${path}/${step.id}/output`)).body).toEqual({ y: 2 });
  expect((await home.api('GET', `${path}/${step.id}/input`)).body).toEqual({ values: { y: 2 } });
  expect((await home.api('GET', `/api/executions/${execution.id}/output`)).body).toEqual({ y: 2 });
});

test('finds a step only below its own execution', async () => {
  const home = await makeHome();
  const [one, other] = [await home.run(GRAPH), await home.run(GRAPH)];
  for (const rest of ['', '/input', '/output']) {
    const foreign = `/api/executions/${other.id}/steps/${one.executionPath[0].id}${rest}`;
    expect(await home.api('GET', foreign)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  }
  expect((await home.api('GET', '/api/executions/nothing/steps')).status).toBe(404);
  expect((await home.api('GET', `/api/executions/${one.id}/steps/nothing`)).status).toBe(404);
});

test('loops: the path has the newest iterations and all outer steps, the list has every step and filters them', async () => {
  const home = await makeHome();
  const execution = await home.run(GRAPH);
  const here = { workspaceId: home.workspaceId, executionId: execution.id };
  const database = stackDatabase();
  await insertLoopSteps(database, here, { prefix: 'outer:', nodeId: 'inner', iterations: 7, failEvery: 7 });
  await insertLoopSteps(database, here, {
    prefix: 'outer:3/inner:',
    nodeId: 'leaf',
    iterations: 1_500,
    failEvery: 500,
  });
  await insertLoopSteps(database, here, { prefix: 'out_r:', nodeId: 'leaf', iterations: 1 });
  await database.$executeRaw`
    UPDATE execution_steps SET iterations_total = 1500, iterations_completed = 1497, iterations_failed = 3
    WHERE execution_id = ${execution.id}::uuid AND node_id = 'inner' AND iteration = 'outer:3'`;

  expect(execution.stepsLeftOut).toBeUndefined();
  const { executionPath, stepsLeftOut } = await home.read(execution.id);
  // 2 outside loops, and 7, 1,500 and 1 inside.
  expect(stepsLeftOut).toBe(1_510 - executionPath.length);
  const keys = executionPath.map(({ nodeId, iteration }: Loose) =>
    [nodeId, ...iteration.map((each: Loose) => `${each.nodeId}:${each.index}`)].join(' '),
  );
  const newest = Array.from({ length: 999 }, (_, index) => `leaf outer:3 inner:${index + 501}`);
  expect(keys).toEqual(['a', 'b', 'inner outer:3', ...newest, 'leaf out_r:0']);
  expect(executionPath[2].iterations).toEqual({ total: 1_500, completed: 1_497, failed: 3 });

  const list = `/api/executions/${execution.id}/steps`;
  const all = (await pages(home, `${list}?limit=1000`)).flat();
  expect(all).toHaveLength(2 + 7 + 1_500 + 1);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(all.slice(9, -1).map(({ output }) => output)).toEqual(Array.from({ length: 1_500 }, (_, index) => index));

  const found = async (filterBy: string) =>
    (await pages(home, `${list}?limit=1000&filterBy=${encodeURIComponent(filterBy)}`)).flat();
  expect(await found('iteration:')).toEqual(execution.executionPath);
  expect(await found('iteration:outer:2')).toHaveLength(1);
  expect(await found('iteration:outer:3')).toHaveLength(1_501);
  expect((await found('iteration:outer:3/inner:17')).map(({ output }) => output)).toEqual([17]);
  expect(await found('iteration:outer:3/inner:1')).toHaveLength(1);
  expect(await found('iteration:outer')).toHaveLength(1_507);
  expect(await found('iteration:out_r')).toHaveLength(1);
  expect(await found('nodeId:inner')).toHaveLength(7);
  expect((await found('nodeId:leaf,status:FAILED')).map(({ output }) => output)).toEqual([0, 500, 1_000]);
  expect(await found('status:FAILED|COMPLETED,iteration:outer:0')).toHaveLength(1);
  expect(await found('status:RUNNING')).toEqual([]);

  for (const wrong of ['iteration:outer/inner:1', 'iteration:a b', 'status:BROKEN', 'nodeId:', 'colour:red']) {
    const refused = await home.api('GET', `${list}?filterBy=${encodeURIComponent(wrong)}`);
    expectAbout(refused, wrong).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  }
  expect((await home.api('GET', `${list}?cursor=x`)).status).toBe(400);
});

test('steps and questions in loops tell how many iterations each loop around has, however they are read', async () => {
  const home = await makeHome();
  const id = await home.execute(
    await home.deploy({
      nodes: [
        { id: 'outer', type: 'forEach', inputs: { items: '{{ [1, 2] }}' } },
        { id: 'inner', type: 'forEach', parentId: 'outer', inputs: { items: '{{ [1, 2, 3] }}' } },
        { ...question('ask'), parentId: 'inner' },
      ],
      edges: [],
    }),
  );
  await home.asked(id, 'ask');
  const { executionPath, pendingInput } = await home.read(id);
  const iteration = [
    { nodeId: 'outer', index: 0, total: 2 },
    { nodeId: 'inner', index: 0, total: 3 },
  ];
  expect(pendingInput).toMatchObject([{ nodeId: 'ask', iteration }]);
  const ask = executionPath.find(({ nodeId }: Loose) => nodeId === 'ask');
  expect(ask.iteration).toEqual(iteration);
  const path = `/api/executions/${id}/steps`;
  expect((await home.api('GET', path)).body).toEqual(executionPath);
  expect((await home.api('GET', `${path}?filterBy=nodeId:ask`)).body).toEqual([ask]);
  expect((await home.api('GET', `${path}/${ask.id}`)).body).toEqual(ask);
});
