import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readConfig } from '../../config.ts';
import type { RegionCall } from '../../domain/execution/activityCalls.ts';
import { NOTHING_DONE } from '../../domain/execution/progress.ts';
import { compileDefinition } from '../../domain/workflow/compile.ts';
import type { Definition, Node } from '../../domain/workflow/definition.ts';
import { iterationPlan } from '../../domain/workflow/scopePlan.ts';
import { Evaluation } from '../../engine/evaluation/evaluation.ts';
import { createStepKeys } from '../../engine/executions/stepKeys.ts';
import type { Database } from '../../prisma/client.ts';
import { buildCatalogue } from '../apps/catalogue.ts';
import { succeeded } from '../apps/executor.ts';
import type { ActivityServices } from '../services.ts';
import { OpenedLoops } from './openedLoops.ts';
import { RegionRun } from './regionRun.ts';

const NODES = 40;
const EACH_MS = 5;

const busy = () => {
  const end = performance.now() + EACH_MS;
  while (performance.now() < end);
  return succeeded(null);
};
const catalogue = buildCatalogue({ testing: false });
const services = {
  catalogue,
  config: readConfig({ REGION_BUDGET_MS: '60000' }),
  evaluation: new Evaluation({ timeoutMs: 1_000, threads: 1, maxResultBytes: 1_000_000 }),
  executorOf: () => busy,
  stepKeys: createStepKeys(`k1:${randomBytes(32).toString('base64')}`),
  openedLoops: new OpenedLoops(undefined as unknown as Database, 1_000),
} as unknown as ActivityServices;

const work = (id: string, parentId?: string): Node => ({
  id,
  type: 'action',
  appId: 'core',
  actionId: 'transform',
  inputs: { value: 1 },
  ...(parentId === undefined ? {} : { parentId }),
});

const CHAIN: Omit<Definition, 'trigger'> = {
  nodes: Array.from({ length: NODES }, (_, index) => work(`n${index}`)),
  edges: Array.from({ length: NODES - 1 }, (_, index) => ({
    id: `e${index}`,
    source: `n${index}`,
    target: `n${index + 1}`,
  })),
};
const LOOP: Omit<Definition, 'trigger'> = {
  nodes: [{ id: 'each', type: 'repeat', inputs: { times: NODES } }, work('inner', 'each')],
  edges: [],
};

test.each([
  ['nodes', CHAIN, 'n0', NODES],
  ['iterations', LOOP, 'each', 1],
])('others have their turn between the %s of a region', async (_name, graph, first, settled) => {
  const trigger = { id: 'trigger', type: 'manual', config: {} } as const;
  const definition = compileDefinition({ trigger, ...graph }, catalogue);
  const call = {
    workspaceId: 'w',
    executionId: 'e',
    progress: NOTHING_DONE,
    start: [{ nodeId: first, cause: 'run', attempt: 1 }],
  } as unknown as RegionCall;
  const context = {
    status: 'RUNNING' as const,
    name: 'w',
    number: 1,
    startedAt: '2026-01-01T00:00:00.000Z',
    workflowId: 'w',
    lineageId: null,
    trace: null,
    trigger: {},
    variables: {},
    steps: {},
  };
  const plan = iterationPlan(definition.plan);
  const run = new RegionRun({
    services,
    call,
    definition,
    plan,
    context,
    answers: new Map(),
    host: undefined,
    hint: {},
    lostTries: undefined,
  });
  let turns = 0;
  let isOver = false;
  const another = () => {
    turns += 1;
    if (!isOver) setImmediate(another);
  };
  setImmediate(another);
  await run.run();
  isOver = true;
  expect(run.outcomes.filter(({ status }) => status === 'COMPLETED')).toHaveLength(settled);
  // 200 ms of work. A yield is due every 20 ms, once the running node has ended.
  expect(turns).toBeGreaterThanOrEqual(5);
});
