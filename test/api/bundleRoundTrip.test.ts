import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { action, chain, control, manual, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

// Exporting, applying to an empty workspace and exporting again changes only secrets. `ROUND_TRIP_SEED=…` repeats a
// run.

// biome-ignore lint/suspicious/noExplicitAny: the shape was checked against openapi.yaml
type Loose = any;

const RUNS = Number(process.env.ROUND_TRIPS ?? 8);
const SEED = Number(process.env.ROUND_TRIP_SEED ?? Date.now() % 2 ** 31);
const SECRET = 'hunter22-of-a-round-trip';

const slug = (kind: string, count: number) => fc.integer({ min: 0, max: count - 1 }).map((n) => `${kind}-${n}`);
const some = (kind: string, count: number) =>
  fc.uniqueArray(slug(kind, count), { maxLength: 3 }).map((slugs) => slugs.map((each) => `@${kind}/${each}`));
const text = fc.string({ maxLength: 20, unit: 'grapheme' }).map((each) => each.replaceAll(/[{}\0]/g, ''));
const name = text.map((each) => `N ${each}`.slice(0, 60));
/** Postgres rejects NUL in texts. */
const json = fc
  .jsonValue({ maxDepth: 2, noUnicodeString: false })
  .map((value) => JSON.stringify(value))
  .filter((value) => !value.includes('\\u0000'))
  .map((value) => JSON.parse(value));
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });

const COUNTS = { workflow: 3, agent: 3, queue: 2, objectType: 2, knowledge: 1, variable: 3 };

const queue = fc.record({
  name,
  description: optional(text),
  priority: optional(fc.integer({ min: -100, max: 100 })),
  isActive: optional(fc.boolean()),
  maxRetries: optional(fc.integer({ min: 0, max: 9 })),
  retryDelayMinutes: optional(fc.integer({ min: 0, max: 900 }).map((n) => n / 4)),
  batchSize: optional(fc.integer({ min: 1, max: 500 })),
});
const variable = fc.record({ value: json, description: optional(text), isSecret: optional(fc.boolean()) });
const objectType = fc.record({
  name,
  description: optional(text),
  allowUnknownAttributes: optional(fc.boolean()),
  attributeSchema: optional(
    slug('objectType', COUNTS.objectType).map((other) => ({
      type: 'object',
      properties: { zeta: { type: 'number' }, alpha: { type: 'string', 'x-objectType': other } },
    })),
  ),
});
const knowledge = fc.record({ name, chunkSize: optional(fc.integer({ min: 50, max: 900 })) });
const workflow = fc
  .record({
    name: optional(name),
    description: optional(text),
    isActive: optional(fc.boolean()),
    timeoutMs: optional(fc.integer({ min: 1, max: 1_000_000 })),
    maxConcurrent: optional(fc.integer({ min: 1, max: 1_000 })),
    orientation: optional(fc.constantFrom('horizontal', 'vertical')),
    trigger: fc.oneof(
      fc.constant(manual()),
      fc.constant(webhook({ respond: 'whenFinished' })),
      slug('queue', COUNTS.queue).map((each) => ({
        id: 'trigger',
        type: 'queue',
        config: { queueId: `@queue/${each}`, batchSize: 3 },
      })),
    ),
    nodes: fc.tuple(
      slug('workflow', COUNTS.workflow).map((each) =>
        control('call', 'runWorkflow', { workflowId: `@workflow/${each}` }),
      ),
      slug('queue', COUNTS.queue).map((each) =>
        action('add', 'queue.add', { queueId: `@queue/${each}`, data: { a: 1 } }),
      ),
      text.map((said) => action('set', 'core.set', { values: { said } })),
    ),
    output: optional(text.map((said) => ({ said }))),
    labels: optional(
      fc.dictionary(
        fc.constantFrom('order', 'team', 'by-hand', 'c_2'),
        fc.constantFrom('billing', '{{ trigger.order }}', 'n-{{ trigger.n }}'),
        {
          maxKeys: 3,
          noNullPrototype: true,
        },
      ),
    ),
    notes: optional(text.map((said) => [{ id: 'n1', text: said, x: 1, y: 2, width: 200 }])),
  })
  .map((each) => ({ ...each, edges: chain('call', 'add', 'set') }));
const agent = fc.record({
  name: optional(name),
  instructions: text.map((each) => `I ${each}`),
  model: fc.constant('gpt'),
  temperature: optional(fc.constantFrom(0, 0.5, 1)),
  maxRetries: optional(fc.integer({ min: 0, max: 4 })),
  knowledgeIds: some('knowledge', COUNTS.knowledge),
  objectTypeIds: some('objectType', COUNTS.objectType),
  variableIds: some('variable', COUNTS.variable),
  memoryEnabled: optional(fc.boolean()),
});

const KINDS: Record<keyof typeof COUNTS, fc.Arbitrary<object>> = {
  workflow,
  agent,
  queue,
  objectType,
  knowledge,
  variable,
};
const bundle = fc
  .tuple(
    ...Object.entries(COUNTS).map(([kind, count]) =>
      fc
        .array(KINDS[kind as keyof typeof COUNTS], { minLength: count, maxLength: count })
        .map((all) => all.map((each, n) => ({ kind, slug: `${kind}-${n}`, ...withoutAbsent(each) }))),
    ),
  )
  .map((all) => all.flat() as Loose[]);

function withoutAbsent(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}

const apply = async (home: Home, resources: Loose[]) => {
  const { status, body } = await home.api('POST', `/api/projects/${home.projectId}/apply`, { body: { resources } });
  expect([status, body.errors]).toEqual([200, undefined]);
  return body;
};
const exported = async (home: Home): Promise<Loose[]> =>
  (await home.api('GET', `/api/projects/${home.projectId}/export`)).body.resources;

test(`a bundle comes through another workspace as it was (seed ${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(bundle, async (resources) => {
      const [one, two] = await Promise.all([makeHome(), makeHome()]);
      const withSecrets = resources.map((each) =>
        each.isSecret ? { ...each, value: { secret: SECRET, of: each.value } } : each,
      );
      await apply(one, withSecrets);
      const first = await exported(one);
      expect(first).toHaveLength(resources.length);
      expect(JSON.stringify(first)).not.toContain(SECRET);
      const again = await apply(one, first);
      expect(again.plan.filter((entry: Loose) => entry.action !== 'unchanged')).toEqual([]);
      const filled = first.map((each) => (each.isSecret ? { ...each, value: 'another' } : each)).reverse();
      await apply(two, filled);
      expect(await exported(two)).toEqual(first);
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
}, 180_000);
