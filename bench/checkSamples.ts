import { buildCatalogue } from '../activities/apps/catalogue.ts';
import { compileValue } from '../domain/expression/compiledValue.ts';
import type { JsonObject } from '../domain/json.ts';
import { compileRules } from '../domain/object/compiledRules.ts';
import { type Surroundings, type ValidationContext, validateDefinition } from '../domain/workflow/validate.ts';
import { CHECKED_NODES } from './checkRows.ts';
import { mustBe } from './mustBe.ts';
import type { SampledSide } from './sampler.ts';
import { timed } from './timing.ts';

const QUEUE_ID = '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f';

const attributeSchema: JsonObject = {
  type: 'object',
  properties: {
    total: { type: 'number', minimum: 0 },
    email: { type: 'string', format: 'email' },
    status: { enum: ['open', 'paid'] },
    lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] } },
    note: { type: 'string' },
  },
  required: ['total'],
};
const stateSchema = { initial: 'draft', states: [{ id: 'draft' }, { id: 'paid' }] };

const action = (appId: string, actionId: string, inputs: JsonObject) => ({ type: 'action', appId, actionId, inputs });

/** Steps that read the one before. `run` is part of an expression, so that no result of another run is reused. */
const STEPS: readonly ((before: string, at: number, run: number) => object)[] = [
  (before, at, run) =>
    action('core', 'set', {
      values: {
        before: `{{ ${before} }}`,
        total: `{{ trigger.body.total * ${at} + ${run} }}`,
        at: '{{ variables.REGION }}',
      },
    }),
  (before) =>
    action('queue', 'add', {
      queueId: QUEUE_ID,
      data: { total: `{{ ${before} }}`, email: 'ada@example.org', lines: [{ sku: '{{ trigger.body.sku }}' }] },
    }),
  (before) =>
    action('objects', 'create', {
      objectTypeSlug: 'order',
      name: 'An order',
      attributes: { total: 1, status: 'open', note: `{{ ${before} }}` },
    }),
  (_, at, run) =>
    action('core', 'transform', { value: `{{ trigger.body.lines.map(line, line.price * ${at} + ${run}) }}` }),
  (before, at, run) => ({
    type: 'condition',
    inputs: { condition: `{{ trigger.body.total > ${at} + ${run} && ${before} != null }}` },
  }),
  (before) =>
    action('code', 'javascript', {
      code: 'const before = input.before;\nreturn { before };',
      input: { before: `{{ ${before} }}` },
    }),
];

function definition(run: number) {
  const nodes = Array.from({ length: CHECKED_NODES }, (_, at) => {
    const step = STEPS[at % STEPS.length] as (typeof STEPS)[number];
    return { id: `n${at}`, ...step(at === 0 ? 'trigger.body' : `steps.n${at - 1}.output`, at, run) };
  });
  const edges = nodes.slice(1).map(({ id }, at) => {
    const isWay = (nodes[at] as { type?: string }).type === 'condition';
    return { source: `n${at}`, target: id, ...(isWay ? { sourceHandle: 'true' } : {}) };
  });
  return { trigger: { id: 'trigger', type: 'webhook', config: {} }, nodes, edges };
}

function surroundings(): ValidationContext & Surroundings {
  const rules = compileRules({ attributeSchema, stateSchema, allowUnknownAttributes: false });
  const ofItems = compileRules({
    ...{ attributeSchema, stateSchema: null, allowUnknownAttributes: false },
    isOfItems: true,
  });
  return {
    catalogue: buildCatalogue({ testing: false }),
    limits: { maxBytes: 1_000_000, maxNodes: 1_000, maxExpressions: 1_000_000 },
    variables: { names: new Set(['REGION']), severity: 'error' },
    types: { typeOf: () => ({ isEnabled: true, rules }), severity: 'error' },
    queues: { rulesOf: () => ofItems },
  };
}

export async function ourCheckSide(): Promise<SampledSide> {
  const context = surroundings();
  return sideOf((candidate) => mustBe(validateDefinition(candidate, context).problems.length, 0));
}

export async function bareCheckSide(): Promise<SampledSide> {
  // Other runs than those of the checker, which keeps compiled expressions.
  return sideOf(({ nodes }) => void compileValue(nodes as unknown as JsonObject[]), 1_000_000);
}

function sideOf(check: (candidate: ReturnType<typeof definition>) => void, first = 0): SampledSide {
  let run = first;
  const sample = async () => {
    run += 1;
    const candidate = definition(run);
    return { values: [(await timed(async () => check(candidate))).tookMs] };
  };
  return { sample, close: async () => {} };
}
