import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { buildCatalogue } from '../../activities/apps/catalogue.ts';
import { LoopContexts } from '../../activities/execution/loopContexts.ts';
import { countStatements, type StatementCounter } from '../../bench/statementCounter.ts';
import type { StepRecord } from '../../domain/execution/stepRecord.ts';
import type { Json } from '../../domain/json.ts';
import { type CompiledDefinition, compileDefinition } from '../../domain/workflow/compile.ts';
import type { Node } from '../../domain/workflow/definition.ts';
import { createDatabase, type Database } from '../../prisma/client.ts';
import { migrate } from '../../prisma/migrate.ts';
import { recordProgress } from '../../prisma/store/execution/recordProgress.ts';
import { type OwnDatabase, startDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnExecution } from '../setup/database/ownRows.ts';

const MANUAL = { id: 'trigger', type: 'manual', config: {} } as const;
const PLENTY = 1_000_000;

let own: OwnDatabase;
let counter: StatementCounter;
let database: Database;

beforeAll(async () => {
  own = await startDatabase();
  await migrate(own.url);
  counter = await countStatements(own.url);
  database = createDatabase(counter.url, 2);
});
afterAll(async () => {
  await database?.close();
  counter?.close();
  await own?.dispose();
});

/** `value` is the expression of the node in `inner`, a loop in `outer`. */
function nested(value: string): CompiledDefinition {
  const nodes: Node[] = [
    { id: 'base', type: 'action', appId: 'core', actionId: 'transform', inputs: { value: 7 } },
    { id: 'outer', type: 'forEach', inputs: { items: '{{ trigger.list }}' } },
    { id: 'inner', type: 'forEach', inputs: { items: ['x', 'y'] }, parentId: 'outer' },
    { id: 'work', type: 'action', appId: 'testing', actionId: 'succeed', inputs: { output: value }, parentId: 'inner' },
  ];
  const edges = [{ id: 'e', source: 'base', target: 'outer' }];
  const definition = { trigger: MANUAL, nodes, edges };
  return compileDefinition(definition, buildCatalogue({ testing: true }));
}

function step(nodeId: string, iteration: string, more: Partial<StepRecord> = {}): StepRecord {
  return { id: v7(), nodeId, iteration, label: nodeId, type: 'action', status: 'COMPLETED', attempt: 1, ...more };
}

function loop(nodeId: string, iteration: string, items: Json[]): StepRecord {
  return step(nodeId, iteration, {
    type: 'forEach',
    status: 'RUNNING',
    input: { items },
    iterationsTotal: items.length,
  });
}

async function looping() {
  const { workspaceId, executionId } = await insertOwnExecution(database, {
    number: 3,
    trigger: { list: ['a', 'b'] },
    variables: { v: 1 },
  });
  await recordProgress(database, workspaceId, executionId, {
    steps: [step('base', '', { output: 7 }), loop('outer', '', ['a', 'b']), loop('inner', 'outer:1', ['x', 'y'])],
  });
  counter.take();
  return { workspaceId, executionId };
}

const statements = () => [...counter.take().values()].reduce((sum, each) => sum + each, 0);
const at = (index: number) => `outer:1/inner:${index}`;

test('the common context of iterations is read once, also by many at once; each has its own item', async () => {
  const ref = await looping();
  const definition = nested('{{ string(steps.base.output) + loops.outer.item + loop.item }}');
  const contexts = new LoopContexts(database, PLENTY);
  const all = await Promise.all([0, 1, 0, 1].map((index) => contexts.of(definition, { ...ref, iteration: at(index) })));
  expect(statements()).toBe(1);
  expect(all.map((each) => each?.context.loops)).toEqual(
    ['x', 'y', 'x', 'y'].map((item) => ({ outer: { item: 'b', total: 2 }, inner: { item, total: 2 } })),
  );
  expect(all[0]).toMatchObject({ atOnce: 1 });
  expect(all[0]?.context).toMatchObject({ number: 3, trigger: { list: ['a', 'b'] }, variables: { v: 1 } });
  expect(all[0]?.context.steps).toMatchObject({ base: { status: 'COMPLETED', output: 7 } });
  expect(Object.keys(all[0]?.context.steps ?? {})).toEqual(['base']);
});

test('a loop in another iteration of the one around it is another loop', async () => {
  const ref = await looping();
  const definition = nested('{{ loops.outer.item + loop.item }}');
  await recordProgress(database, ref.workspaceId, ref.executionId, { steps: [loop('inner', 'outer:0', ['z'])] });
  const contexts = new LoopContexts(database, PLENTY);
  await contexts.of(definition, { ...ref, iteration: at(0) });
  const other = await contexts.of(definition, { ...ref, iteration: 'outer:0/inner:0' });
  expect(other?.context.loops).toEqual({ outer: { item: 'a', total: 2 }, inner: { item: 'z', total: 1 } });
});

test('the context has the number of iterations that run side by side', async () => {
  const ref = await looping();
  const at100 = { ...loop('inner', 'outer:0', ['z']), input: { items: ['z'], concurrency: 100 } };
  await recordProgress(database, ref.workspaceId, ref.executionId, { steps: [at100] });
  const contexts = new LoopContexts(database, PLENTY);
  const found = await contexts.of(nested('{{ loop.item }}'), { ...ref, iteration: 'outer:0/inner:0' });
  expect(found?.atOnce).toBe(100);
});

test.each([
  ['it is too large to be kept', 'the execution', nested('{{ loop.item }}'), 100],
  ['a step is chosen at run time', 'the execution', nested('{{ steps[loop.item].output }}'), PLENTY],
  ['it is asked for in another workspace', 'nobody', nested('{{ loop.item }}'), PLENTY],
])('where %s it is not there', async (_name, whose, definition, bytes) => {
  const ref = await looping();
  const contexts = new LoopContexts(database, bytes);
  const workspaceId = whose === 'nobody' ? v7() : ref.workspaceId;
  expect(await contexts.of(definition, { ...ref, workspaceId, iteration: at(0) })).toBeUndefined();
  expect(await contexts.of(definition, { ...ref, workspaceId, iteration: at(1) })).toBeUndefined();
});

test('that a loop is too large is found out once', async () => {
  const ref = await looping();
  const contexts = new LoopContexts(database, 100);
  for (let index = 0; index < 4; index += 1) await contexts.of(nested('{{ loop.item }}'), { ...ref, iteration: at(0) });
  expect(statements()).toBe(1);
});

test('a read that failed is tried again', async () => {
  const ref = await looping();
  const away = createDatabase('postgres://nobody@127.0.0.1:1/nothing', 1);
  const contexts = new LoopContexts(away, PLENTY);
  const definition = nested('{{ loop.item }}');
  for (let count = 0; count < 2; count += 1) {
    await expect(contexts.of(definition, { ...ref, iteration: at(0) })).rejects.toThrow();
  }
  await away.close();
});
