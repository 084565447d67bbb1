import { expect, test } from '@jest/globals';
import type { Edge, Node } from '../workflow/definition.ts';
import { plannedDefinition } from '../workflow/planOf.ts';
import type { EarlierStep } from './resume.ts';
import { reopeningPlaces, retryPreview } from './retryPreview.ts';

const node = (id: string, more: Partial<Node> = {}): Node => ({
  id,
  type: 'action',
  appId: 'a',
  actionId: 'b',
  ...more,
});
const edge = (source: string, target: string, sourceHandle?: string): Edge => ({
  ...{ id: `${source} ${target}`, source, target },
  ...(sourceHandle === undefined ? {} : { sourceHandle }),
});
const step = (nodeId: string, status: EarlierStep['status'] = 'COMPLETED', handle: string | null = null) => ({
  ...{ nodeId, status, handle },
});

const NODES = [
  node('ask', { type: 'condition' }),
  node('yes'),
  node('no'),
  node('each', { type: 'forEach', inputs: { items: [1] } }),
  node('work', { parentId: 'each' }),
];
const EDGES = [edge('ask', 'yes', 'true'), edge('ask', 'no', 'false'), edge('yes', 'each')];
const before = plannedDefinition({ nodes: NODES, edges: EDGES });
const STEPS = [step('ask', 'COMPLETED', 'true'), step('yes'), step('each', 'FAILED')];
const FAILED = { status: 'FAILED' as const, steps: STEPS };
const NOTHING: ReadonlySet<string> = new Set();

test('a completed step is kept, a failed loop continues, and a step that was not reached is in no group', () => {
  expect(retryPreview(FAILED, {}, before, before, NOTHING)).toEqual({
    ...{ kept: ['ask', 'yes'], goesOn: ['each'], again: [], added: [] },
  });
  expect(retryPreview(FAILED, { loops: 'again' }, before, before, NOTHING)).toEqual({
    ...{ kept: ['ask', 'yes'], goesOn: [], again: ['each'], added: [] },
  });
  expect(retryPreview(FAILED, { fromStep: 'yes' }, before, before, NOTHING)).toMatchObject({
    ...{ kept: ['ask'], again: ['yes', 'each'] },
  });
});

test('a completed execution runs as a whole, and a step that was not reached begins no retry', () => {
  const completed = { ...FAILED, status: 'COMPLETED' as const };
  expect(retryPreview(completed, {}, before, before, NOTHING)).toMatchObject({
    kept: [],
    again: ['ask', 'yes', 'each'],
  });
  expect(() => retryPreview(FAILED, { fromStep: 'no' }, before, before, NOTHING)).toThrow('did not reach no');
});

test('of another version, changed steps run again and new ones are named', () => {
  const nodes = [...NODES.map((each) => (each.id === 'yes' ? node('yes', { inputs: { x: 1 } }) : each)), node('new')];
  const after = plannedDefinition({ nodes, edges: [...EDGES, edge('each', 'new')] });
  expect(retryPreview(FAILED, {}, before, after, NOTHING)).toEqual({
    ...{ kept: ['ask'], goesOn: [], again: ['yes', 'each'], added: ['new'] },
  });
});

test('inside a loop, what begins the retry or has changed says where iterations run again', () => {
  expect(reopeningPlaces(FAILED, { fromStep: 'work' }, before, before)).toEqual([
    { loopId: 'each', nodes: ['work'], loops: [], failed: [] },
  ]);
  expect(reopeningPlaces(FAILED, {}, before, before)).toEqual([]);
  const after = plannedDefinition({ nodes: [...NODES, node('more', { parentId: 'each' })], edges: EDGES });
  expect(reopeningPlaces(FAILED, {}, before, after)).toEqual([
    { loopId: 'each', nodes: ['more'], loops: ['each'], failed: [] },
  ]);
  const completed = { status: 'COMPLETED' as const, steps: [...STEPS.slice(0, 2), step('each')] };
  const from = { fromStep: 'work' };
  expect(retryPreview(completed, from, before, before, new Set(['each']))).toMatchObject({ goesOn: ['each'] });
  expect(() => retryPreview(completed, from, before, before, NOTHING)).toThrow('did not reach work');
});

test('items that failed in loops that completed run again where it is asked for: each loop is a place, those inside too', () => {
  const inner = [
    node('inner', { type: 'repeat', parentId: 'each', inputs: { times: 2 } }),
    node('deep', { parentId: 'inner' }),
  ];
  const nested = plannedDefinition({ nodes: [...NODES, ...inner], edges: EDGES });
  const completed = { status: 'COMPLETED' as const, steps: [...STEPS.slice(0, 2), step('each')] };
  const again = { failedItems: 'again' as const };
  expect(reopeningPlaces(completed, again, nested, nested)).toEqual([
    { loopId: 'each', nodes: [], loops: [], failed: ['each', 'inner'] },
  ]);
  expect(retryPreview(completed, again, nested, nested, new Set(['each']))).toEqual({
    ...{ kept: ['ask', 'yes'], goesOn: ['each'], again: [], added: [] },
  });
  expect(retryPreview(completed, again, nested, nested, NOTHING)).toMatchObject({
    kept: ['ask', 'yes', 'each'],
    goesOn: [],
  });
  expect(retryPreview(completed, { ...again, loops: 'again' }, nested, nested, new Set(['each']))).toMatchObject({
    again: ['each'],
  });
});
