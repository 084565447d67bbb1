import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../json.ts';
import { Problem } from '../problem.ts';
import type { Edge, Node } from '../workflow/definition.ts';
import { type PlannedDefinition, plannedDefinition } from '../workflow/planOf.ts';
import { KEEPING_NOTHING, type Keeping, keptByRetry, type RetryRequest, rulesOfRetry } from './executionRetry.ts';
import type { EarlierStep } from './resume.ts';
import { type RetryPreview, retryPreview, surePreview } from './retryPreview.ts';

interface Spec {
  sources: number[];
  kind: 'plain' | 'condition' | 'continue' | 'forEach' | 'repeat' | 'stop';
  status: EarlierStep['status'] | 'none';
  change: 'none' | 'none' | 'inputs' | 'gone';
}

interface Case {
  before: PlannedDefinition;
  after: PlannedDefinition;
  status: 'FAILED' | 'COMPLETED' | 'CANCELLED';
  steps: EarlierStep[];
  request: RetryRequest;
  /** Top-level loops: those with iterations that run again, and those whose iterations are unknown. */
  reopened: string[];
  unsure: string[];
}

const spec = fc.record<Spec>({
  sources: fc.array(fc.nat(9), { maxLength: 2 }),
  kind: fc.constantFrom('plain', 'plain', 'condition', 'continue', 'forEach', 'repeat', 'stop'),
  status: fc.constantFrom('COMPLETED', 'COMPLETED', 'COMPLETED', 'FAILED', 'CANCELLED', 'none'),
  change: fc.constantFrom('none', 'none', 'inputs', 'gone'),
});

/** Each loop contains two nodes in sequence; the second is inside a nested loop. */
function nodesOf({ kind }: Spec, id: string, isChanged: boolean): Node[] {
  const changed: JsonObject = isChanged ? { x: 1 } : {};
  const action = { type: 'action', appId: 'a', actionId: 'b' } as const;
  switch (kind) {
    case 'forEach':
    case 'repeat':
      return [
        { id, type: kind, inputs: kind === 'forEach' ? { items: [1, 2] } : { times: 2 } },
        { id: `${id}a`, parentId: id, ...action, inputs: changed },
        { id: `${id}l`, parentId: id, type: 'repeat', inputs: { times: 2 } },
        { id: `${id}b`, parentId: `${id}l`, ...action },
      ];
    case 'continue':
      return [{ id, ...action, onError: 'continue', inputs: changed }];
    case 'plain':
      return [{ id, ...action, inputs: changed }];
    default:
      return [{ id, type: kind, inputs: changed }];
  }
}

function definition(specs: readonly Spec[], isAfter: boolean): PlannedDefinition {
  const all = specs.map((each, index) => ({ each, index, id: `n${index}` }));
  const left = all.filter(({ each }) => !isAfter || each.change !== 'gone');
  const ids = new Set(left.map(({ id }) => id));
  const edges = left.flatMap(({ each, index, id }) =>
    [...new Set(each.sources)]
      .filter((source) => source < index && ids.has(`n${source}`) && specs[source]?.kind !== 'stop')
      .map((source): Edge => {
        const handle = specs[source]?.kind === 'condition' ? { sourceHandle: index % 2 ? 'true' : 'false' } : {};
        return { id: `n${source} ${id}`, source: `n${source}`, target: id, ...handle };
      }),
  );
  const nodes = left.flatMap(({ each, id }) => nodesOf(each, id, isAfter && each.change === 'inputs'));
  const inner = nodes
    .filter(({ id }) => id.endsWith('l'))
    .map(({ id, parentId }) => ({ id: `${id} in`, source: `${parentId}a`, target: id }));
  return plannedDefinition({ nodes, edges: [...edges, ...inner] });
}

const cases: fc.Arbitrary<Case> = fc
  .record({
    specs: fc.array(spec, { minLength: 1, maxLength: 8 }),
    status: fc.constantFrom<Case['status']>('FAILED', 'FAILED', 'COMPLETED', 'CANCELLED'),
    isLatest: fc.boolean(),
    from: fc.option(fc.tuple(fc.nat(7), fc.constantFrom('', '', 'a', 'b'))),
    loops: fc.boolean(),
    failedItems: fc.boolean(),
    loopStates: fc.array(fc.constantFrom('kept', 'reopened', 'unsure'), { minLength: 8, maxLength: 8 }),
  })
  .map(({ specs, status, isLatest, from, loops, failedItems, loopStates }) => {
    const before = definition(specs, false);
    const after = isLatest ? definition(specs, true) : before;
    const steps = specs.flatMap(({ kind, status: of }, index) =>
      of === 'none' ? [] : [{ nodeId: `n${index}`, status: of, handle: kind === 'condition' ? 'true' : null }],
    );
    const isLoop = (index: number) => specs[index]?.kind === 'forEach' || specs[index]?.kind === 'repeat';
    const inState = (state: string) =>
      loopStates.flatMap((each, index) => (each === state && isLoop(index) ? [`n${index}`] : []));
    const request: RetryRequest = {
      ...(from === null ? {} : { fromStep: `n${from[0]}${from[1]}` }),
      ...(loops ? { loops: 'again' } : {}),
      ...(failedItems ? { failedItems: 'again' } : {}),
    };
    return { before, after, status, steps, request, reopened: inState('reopened'), unsure: inState('unsure') };
  });

/** Returns what the engine reuses; compare retrySelection, which reads `reopened` from the database. */
function takenOver({ before, after, request, ...earlier }: Case, reopened: ReadonlySet<string>): Keeping | Problem {
  return orProblem(() => {
    const rules = rulesOfRetry(earlier, request, before, after);
    return rules === undefined ? KEEPING_NOTHING : keptByRetry(earlier, request, before, after, rules, reopened);
  });
}

function orProblem<Result>(work: () => Result): Result | Problem {
  try {
    return work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

const groupsOf = ({ kept, goesOn, again }: Omit<RetryPreview, 'added'>) => [...kept, ...goesOn, ...again];

test('a forecast says what the retry takes over, whatever ran and whatever has changed, and refuses what it refuses', () => {
  fc.assert(
    fc.property(cases, (given) => {
      const { before, after, request, reopened, ...earlier } = given;
      const loops = new Set(reopened);
      const taken = takenOver(given, loops);
      const preview = orProblem(() => retryPreview(earlier, request, before, after, loops));
      if (taken instanceof Problem || preview instanceof Problem) return expect(preview).toEqual(taken);
      expect(preview.kept).toEqual(taken.kept);
      expect(preview.goesOn).toEqual(taken.opened);
      // Each begun node that still exists is in exactly one group.
      const begun = given.steps.map(({ nodeId }) => nodeId).filter((id) => after.nodes.has(id));
      expect(groupsOf(preview).sort()).toEqual([...begun].sort());
      expect(preview.added.filter((id) => before.nodes.has(id))).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});

test('where loops could not be looked into, all that a forecast says holds whichever of them run again', () => {
  let known = 0;
  fc.assert(
    fc.property(cases, (given) => {
      const { before, after, request, reopened, unsure, ...earlier } = given;
      const sets = subsetsOf(unsure).map((more) => new Set([...reopened, ...more]));
      const sure = orProblem(() => surePreview(earlier, request, before, after, new Set(reopened), new Set(unsure)));
      const all = sets.map((loops) => takenOver(given, loops));
      const refused = all.filter((each) => each instanceof Problem);
      if (sure instanceof Problem) return expect(refused).toHaveLength(all.length);
      if (sure === undefined) return expect(refused.length).toBeGreaterThan(0);
      expect(refused).toEqual([]);
      known += unsure.length > 0 && groupsOf(sure).length > 0 ? 1 : 0;
      for (const each of all as Keeping[]) {
        expect(each.kept).toEqual(expect.arrayContaining(sure.kept));
        expect(each.opened).toEqual(expect.arrayContaining(sure.goesOn));
        for (const id of sure.again) expect([...each.kept, ...each.opened]).not.toContain(id);
      }
      const begun = given.steps.map(({ nodeId }) => nodeId).filter((id) => after.nodes.has(id));
      expect([...groupsOf(sure), ...sure.unsure].sort()).toEqual([...begun].sort());
    }),
    { numRuns: 1_000 },
  );
  expect(known).toBeGreaterThan(50);
});

function subsetsOf([id, ...others]: readonly string[]): string[][] {
  if (id === undefined) return [[]];
  return subsetsOf(others).flatMap((set) => [set, [id, ...set]]);
}
