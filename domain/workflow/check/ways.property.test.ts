import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Definition } from '../definition.ts';
import { catalogue, context } from '../graphs.fixture.ts';
import { validateDefinition } from '../validate.ts';
import { failuresOf, graphOf, specs, type Texts, worldsOf } from './randomWays.fixture.ts';

/** `WAYS_RUNS=20000 npm test -- domain/workflow/check/ways` is the long form. */
const RUNS = Number(process.env.WAYS_RUNS ?? 150);

const TEXTS: Texts = {
  action: (_, read) => ({ appId: 'app', actionId: 'set', inputs: { url: 'u', body: `{{ ${read} }}` } }),
  decision: (_, condition) => condition,
  isRead: (kind) => kind !== 'stop',
};

const MAX_WORLDS = 400;

test('exactly the reads that fail in some execution are reported', () => {
  const counts = { graphs: 0, withFailures: 0, executions: 0, leftOut: 0 };
  fc.assert(
    fc.property(specs, (all) => {
      const candidate = graphOf(all, TEXTS);
      const { definition, problems } = validateDefinition(candidate, context);
      const others = problems.filter(({ code = 'INVALID' }) => code === 'INVALID');
      if (others.length > 0) throw new Error(JSON.stringify(others));
      const whole =
        definition ?? ({ trigger: { id: 'trigger', type: 'manual', config: {} }, ...candidate } as Definition);
      const worlds = worldsOf(whole);
      if (worlds.length > MAX_WORLDS) {
        counts.leftOut += 1;
        return;
      }
      const failures = failuresOf(whole, catalogue);
      const failing = new Set(worlds.flatMap((world) => [...failures(world)]));
      const reported = new Set(
        problems.filter(({ code }) => code === 'STEP_MAY_BE_SKIPPED').map(({ nodeId }) => nodeId),
      );
      expect([...reported].sort()).toEqual([...failing].sort());
      counts.graphs += 1;
      counts.executions += worlds.length;
      if (failing.size > 0) counts.withFailures += 1;
    }),
    { numRuns: RUNS },
  );
  console.info(JSON.stringify(counts));
});
