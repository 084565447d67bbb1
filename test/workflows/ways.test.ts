import { randomInt } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import pMap from 'p-map';
import { v7 } from 'uuid';
import { buildCatalogue } from '../../activities/apps/catalogue.ts';
import type { ProblemDetail } from '../../domain/problem.ts';
import {
  failuresOf,
  graphOf,
  SKIPPED,
  specs,
  type Texts,
  type World,
  worldsOf,
} from '../../domain/workflow/check/randomWays.fixture.ts';
import type { Definition } from '../../domain/workflow/definition.ts';
import { definitionRow } from '../../domain/workflow/definitionRow.ts';
import { validateDefinition } from '../../domain/workflow/validate.ts';
import { upsertWorkflow } from '../../prisma/store/workflow/upsertWorkflow.ts';
import { manual } from '../setup/workspace/graph.ts';
import { type Home, makeHome, statuses } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

/** Long form: CHECKED_RUNS=300. */
const RUNS = Number(process.env.CHECKED_RUNS ?? 24);
const SEED = Number(process.env.CHECKED_SEED ?? randomInt(2 ** 31));
const MAX_WORLDS = 4;
const AT_ONCE = 8;

const catalogue = buildCatalogue({ testing: true, gitHubUrl: 'https://api.github.com' });

/** The input decides what a step outputs, and whether it fails. */
const TEXTS: Texts = {
  action(id, read, canFail) {
    const output = canFail ? `trigger.fail.${id} ? 1 / 0 : trigger.out.${id}` : `trigger.out.${id}`;
    return { appId: 'core', actionId: 'transform', inputs: { value: `{{ [${read}, ${output}][1] }}` } };
  },
  decision: (id, condition, canFail) => (canFail ? `trigger.fail.${id} ? 1 / 0 == 1 : (${condition})` : condition),
  isRead: (kind) => kind === 'action',
};

interface Checked {
  definition: Definition;
  /** Errors and warnings of the checker. */
  reported: ProblemDetail[];
}

async function checked(home: Home, slug: string, definition: Definition): Promise<Checked> {
  const { trigger, nodes, edges } = definition;
  const body = { slug, projectId: home.projectId, trigger, nodes, edges };
  const { problems } = (await home.api('POST', '/api/workflows/validate', { body })).body;
  const others = problems.filter(({ code }: ProblemDetail) => code === 'INVALID');
  if (others.length > 0) throw new Error(JSON.stringify(others));
  return { definition, reported: problems.filter(({ code }: ProblemDetail) => code === 'STEP_MAY_BE_SKIPPED') };
}

/** Stores it through the API, or past the checker if the API refuses it for exactly what the checker reports. */
async function stored(home: Home, slug: string, { definition, reported }: Checked): Promise<string> {
  const { trigger, nodes, edges } = definition;
  const path = `/api/projects/${home.projectId}/workflows/upsert`;
  const answer = await home.api('POST', path, { body: { slug, trigger, nodes, edges } });
  const errors = reported.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) {
    expect(answer.status).toBe(200);
    return answer.body.id;
  }
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toEqual(errors);
  const head = { name: undefined, description: undefined, isActive: undefined, timeoutMs: undefined };
  const others = {
    onFailureWorkflowId: undefined,
    maxConcurrent: undefined,
    exposeAsTool: undefined,
    isInternal: undefined,
  };
  const row = await upsertWorkflow(stackDatabase(), home.workspaceId, {
    ...{ ...head, ...others, orientation: undefined, managedByCode: true, expected: undefined },
    ...{ workflowId: v7(), versionId: v7(), projectId: home.projectId, slug },
    ...definitionRow(definition, catalogue),
    by: { type: 'apiKey', id: v7() },
  });
  if (!row) throw new Error('The project is gone');
  return row.id;
}

function inputOf({ nodes }: Definition, { trigger, outputs, failing }: World): object {
  const out = Object.fromEntries(nodes.map(({ id }) => [id, outputs[id] === undefined ? 1 : outputs[id]]));
  return { ...trigger, out, fail: Object.fromEntries(nodes.map(({ id }) => [id, failing.has(id)])) };
}

/** Graphs with something to report are rare, so they are looked for: they are half of the result. */
function sampled(): Definition[] {
  const found = { sound: [] as Definition[], reported: [] as Definition[] };
  for (const all of fc.sample(specs, { numRuns: RUNS * 50, seed: SEED })) {
    const definition = { trigger: manual(), ...graphOf(all, TEXTS) } as Definition;
    if (worldsOf(definition).length > MAX_KNOWN_WORLDS) continue;
    const { problems } = validateDefinition(definition, { catalogue, limits: NO_LIMITS });
    const kind = problems.some(({ code }) => code === 'STEP_MAY_BE_SKIPPED') ? 'reported' : 'sound';
    if (found[kind].length < RUNS / 2) found[kind].push(definition);
    if (found.sound.length + found.reported.length >= RUNS) break;
  }
  return [...found.sound, ...found.reported];
}

const MAX_KNOWN_WORLDS = 400;
const NO_LIMITS = {
  maxBytes: Number.POSITIVE_INFINITY,
  maxNodes: Number.POSITIVE_INFINITY,
  maxExpressions: Number.POSITIVE_INFINITY,
};

/** Worlds in which a step fails come first. */
function chosen(definition: Definition): { world: World; failing: Set<string> }[] {
  const failures = failuresOf(definition, catalogue);
  const inMemory = (world: World): World => ({
    ...world,
    trigger: { ...world.trigger, ...inputOf(definition, { ...world, failing: new Set() }) },
  });
  const worlds = worldsOf(definition).map((world) => ({ world, failing: failures(inMemory(world)) }));
  const [bad, good] = [
    worlds.filter(({ failing }) => failing.size > 0),
    worlds.filter(({ failing }) => failing.size === 0),
  ];
  const some = bad.slice(0, MAX_WORLDS - 1);
  return [...some, ...good.slice(0, MAX_WORLDS - some.length)];
}

test(`the checker and the engine agree on ${RUNS} random workflows`, async () => {
  const home = await makeHome();
  const counts = { sound: 0, reported: 0, executions: 0, failed: 0 };
  const check = async (index: number, definition: Definition) => {
    const slug = `random-${index}`;
    const found = await checked(home, slug, definition);
    const places = new Set(found.reported.map(({ nodeId }) => nodeId));
    const workflowId = await stored(home, slug, found);
    counts[places.size === 0 ? 'sound' : 'reported'] += 1;
    for (const { world, failing } of chosen(definition)) {
      const execution = await home.ended(await home.execute(workflowId, inputOf(definition, world)));
      counts.executions += 1;
      const failed = execution.executionPath.filter(({ error }: { error: { message: string } | null }) =>
        error?.message.includes(SKIPPED),
      );
      if (failed.length > 0) counts.failed += 1;
      // Nothing fails for this reason without a report.
      for (const { nodeId } of failed) expect(places).toContain(nodeId);
      // No step runs through a place where the checker sees it fail.
      const completed = statuses(execution);
      for (const nodeId of failing) {
        expect(places).toContain(nodeId);
        expect(completed[nodeId]).not.toBe('COMPLETED');
      }
    }
  };
  await pMap(
    sampled().entries(),
    async ([index, definition]) => {
      try {
        await check(index, definition);
      } catch (error) {
        const named = `CHECKED_SEED=${SEED} CHECKED_RUNS=${RUNS}, graph ${index}: ${(error as Error).message}`;
        throw new Error(`${named}\n${JSON.stringify(definition)}`, { cause: error });
      }
    },
    { concurrency: AT_ONCE },
  );
  console.info(JSON.stringify({ seed: SEED, ...counts }));
  expect(counts.failed).toBeGreaterThan(0);
}, 600_000);
