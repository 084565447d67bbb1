import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileValue } from '../../domain/expression/compiledValue.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import { compileRules } from '../../domain/object/compiledRules.ts';
import { DEFAULT_SCHEMA_LIMITS, type ObjectRules } from '../../domain/object/rules.ts';
import { compileNode } from '../../domain/workflow/compile.ts';
import type { Node } from '../../domain/workflow/definition.ts';
import { Evaluation } from './evaluation.ts';
import { type EvaluationTask, performEvaluation } from './evaluationTask.ts';

/** More than a busy machine needs for any schema of these tests, which do not test this limit. */
const schemaCompileMs = 600_000;
const evaluation = new Evaluation({ timeoutMs: 1_000, threads: 2, maxResultBytes: 10_000_000, schemaCompileMs });

function scopeOf(trigger: Json): Scope {
  const execution = { id: 'e', number: 1, startedAt: '2026-01-01T00:00:00.000Z', workflowId: 'w', workflowName: 'W' };
  return { trigger, steps: {}, variables: {}, execution };
}

function node(inputs: JsonObject, type: Node['type'] = 'delay') {
  return compileNode({ id: 'n', type, inputs } as Node, new Map());
}

/** Returns the outcome, and the shortest time of several attempts that it blocks the caller's thread. */
async function outcomeOf(work: () => unknown): Promise<{ heldMs: number; value: unknown }> {
  let heldMs = Number.POSITIVE_INFINITY;
  let value: unknown;
  for (let tries = 0; tries < 3 && heldMs > MAX_MS; tries += 1) {
    const began = performance.now();
    const started = settled(work);
    heldMs = Math.min(heldMs, performance.now() - began);
    value = await started;
  }
  return { heldMs, value };
}

function settled(work: () => unknown): unknown {
  try {
    const value = work();
    return value instanceof Promise ? value.catch((error: unknown) => error) : value;
  } catch (error) {
    return error;
  }
}

const MAX_MS = 250;
const LONG = 'x'.repeat(1_000_000);
const MANY = Array.from({ length: 50_000 }, (_, index) => index);
const SLOW: [string, string, Json][] = [
  ['size() of a long text, often', 'trigger.l.map(a, size(trigger.t)).size()', { l: MANY.slice(0, 1_000), t: LONG }],
  [
    'a literal alone',
    'trigger.l.map(i, cel.bind(t, padStart("",900000), split(padStart("",300),"").map(a, size(t)).size())).sum()',
    { l: MANY.slice(0, 20) },
  ],
  ['a pattern of many steps', 'matches(trigger.t, "(x?){900}[yz]$")', { t: LONG.slice(0, 100_000) }],
  ['its replacement', 'replacePattern(trigger.t, "(x?){900}[yz]$", "")', { t: LONG.slice(0, 100_000) }],
  [
    'long texts that are equal but for their end',
    'trigger.l.filter(a, trigger.t == trigger.u).size()',
    { l: MANY, t: `${LONG}a`, u: `${LONG}b` },
  ],
  ['equal lists', 'trigger.l.filter(a, trigger.l == trigger.m).size()', { l: MANY, m: [...MANY] }],
  [
    'a part that V8 looks for in every place',
    'contains(trigger.t, trigger.u)',
    { t: LONG, u: `${LONG.slice(0, 2_500)}y${LONG.slice(0, 2_500)}` },
  ],
  ['the same from the end', 'lastIndexOf(trigger.t, trigger.u)', { t: LONG, u: `${LONG.slice(0, 5_000)}y` }],
];

describe('expressions that took a second or hours', () => {
  test.each(SLOW)('%s', async (_, expression, trigger) => {
    const compiled = node({ a: { b: `{{ ${expression} }}` } });
    const { heldMs, value } = await outcomeOf(() => evaluation.inputs('w', compiled, scopeOf(trigger)));
    expect(value).toMatchObject({ code: 'EXPRESSION_LIMIT', path: 'a.b', text: expression });
    expect(heldMs).toBeLessThan(MAX_MS);
  });

  test('thousands of templates have one budget', async () => {
    const compiled = node({ a: Array(400).fill('{{ trigger.l.map(a, a).size() }}') });
    const { heldMs, value } = await outcomeOf(() => evaluation.inputs('w', compiled, scopeOf({ l: MANY })));
    expect(value).toMatchObject({ code: 'EXPRESSION_LIMIT', path: expect.stringMatching(/^a\[\d+\]$/) });
    expect(heldMs).toBeLessThan(MAX_MS);
  });

  test('20 texts of 400 MB: nothing of them is made', async () => {
    const text = '{{trigger.body}}'.repeat(400);
    const inputs = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, text]));
    const before = process.memoryUsage().rss;
    const { value } = await outcomeOf(() => evaluation.inputs('w', node(inputs), scopeOf({ body: LONG })));
    expect(value).toMatchObject({
      code: 'EXPRESSION_LIMIT',
      path: 'k0',
      reason: expect.stringContaining('10,000,000'),
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });

  test('a value that is placed by reference a thousand times', async () => {
    const inputs = { all: Array(1_000).fill('{{ trigger }}') };
    const { value } = await outcomeOf(() => evaluation.inputs('w', node(inputs), scopeOf({ body: LONG })));
    expect(value).toMatchObject({ code: 'EXPRESSION_LIMIT', path: 'all[9]' });
  });

  test('an expression that makes much on its way ends its thread at most, and the next one works', async () => {
    const grown = '{{ trigger.l.map(a, parseJson(trigger.j)).size() }}';
    const trigger = { l: MANY.slice(0, 60), j: `[${'[],'.repeat(300_000)}1]` };
    const { value } = await outcomeOf(() => evaluation.inputs('w', node({ grown }), scopeOf(trigger)));
    expect(value).toMatchObject({ code: 'EXPRESSION_LIMIT' });
    const size = await evaluation.inputs('w', node({ n: '{{ size(trigger.t) }}' }), scopeOf({ t: LONG }));
    expect(size).toMatchObject({ values: { n: 1_000_000 } });
  });
});

test('a cheap value is evaluated at once; another comes from a thread, and is the same', async () => {
  const compiled = node({ sum: '{{ trigger.l.map(a, a + 1).sum() }}', text: 'of {{ size(trigger.l) }}' });
  const few = evaluation.inputs('w', compiled, scopeOf({ l: [1, 2] }));
  expect(few).toEqual({ values: { sum: 5, text: 'of 2' }, bytes: 23 });
  const many = evaluation.inputs('w', compiled, scopeOf({ l: MANY }));
  expect(many).toBeInstanceOf(Promise);
  expect(await many).toMatchObject({ values: { sum: 1_250_025_000, text: 'of 50000' } });
});

test('conditions, cases, loops and outputs too', async () => {
  const slow = 'trigger.l.map(a, a + 1).sum() > 5';
  const scope = scopeOf({ l: MANY });
  const condition = node({ condition: `{{ ${slow} }}` }, 'condition');
  expect(await evaluation.condition('w', condition, scope)).toBe(true);
  const cases = node({ cases: [{ name: 'no', when: `{{ !(${slow}) }}` }] }, 'switch');
  expect(await evaluation.switch('w', cases, scope)).toBe('default');
  const repeat = node({ until: `{{ ${slow} }}` }, 'repeat');
  const until = repeat.repeat?.until;
  if (until === undefined) throw new Error('not compiled');
  expect(await evaluation.continues('w', { compiled: repeat, which: 'until', condition: until }, scope)).toBe(true);
  expect(await evaluation.value('w', compileValue({ a: `{{ ${slow} }}` }), scope)).toEqual({ a: true });
  const broken = await outcomeOf(() =>
    evaluation.condition('w', node({ condition: '{{ trigger.l.map(a, a) }}' }, 'condition'), scope),
  );
  expect(broken.value).toMatchObject({ code: 'EXPRESSION_FAILED', path: 'condition', reason: 'got a list' });
});

test('calculate has the same budget', async () => {
  const slow =
    'split(padStart("",900),"").map(a, split(padStart("",900),"").map(b, split(padStart("",900),"")).size()).sum()';
  const { heldMs, value } = await outcomeOf(() => evaluation.expression('w', slow, scopeOf(null)));
  expect(value).toMatchObject({ code: 'EXPRESSION_LIMIT', text: slow });
  expect(heldMs).toBeLessThan(MAX_MS);
});

describe('rules of an entity type', () => {
  const rules = (properties: JsonObject) =>
    compileRules({ attributeSchema: { properties }, stateSchema: null, allowUnknownAttributes: false });
  const check = evaluation.attributesCheck('w');

  test('a pattern that takes too much is a limit with its place', async () => {
    const code = rules({ code: { pattern: '(x?){900}[yz]$' } });
    const { heldMs, value } = await outcomeOf(() => check(code, { code: LONG.slice(0, 200_000) }));
    expect(value).toMatchObject({
      code: 'EXPRESSION_LIMIT',
      status: 400,
      errors: [{ path: 'attributes.code', message: expect.any(String) }],
    });
    expect(heldMs).toBeLessThan(MAX_MS);
  });

  test('one that takes its time is checked in a thread', async () => {
    const code = rules({
      code: { pattern: '(x?){90}[yz]$' },
      customer: { type: 'string', 'x-objectType': 'customer' },
    });
    const attributes = { code: `${'x'.repeat(4_000)}y`, customer: 'c1' };
    const checked = check(code, attributes, ({ id }) => id === 'c1');
    expect(checked).toBeInstanceOf(Promise);
    const reference = { path: 'attributes.customer', attribute: 'customer', slug: 'customer', id: 'c1' };
    expect(await checked).toEqual({ errors: [], unknown: [], references: [reference] });
    const { errors } = await check(code, { ...attributes, code: `${'x'.repeat(4_000)}q` }, () => false);
    expect(errors.map(({ path }) => path).sort()).toEqual(['attributes.code', 'attributes.customer']);
  });
});

describe('a large schema', () => {
  const LIMITS = { ...DEFAULT_SCHEMA_LIMITS, bytes: 100_000 };
  /** About 68 KB: it blocked the thread for a second. */
  const attributeSchema = {
    properties: Object.fromEntries(
      Array.from({ length: 900 }, (_, index) => [
        `attribute${index}`,
        { type: 'string', maxLength: 200, pattern: `^[a-z]{1,${(index % 50) + 1}}$` },
      ]),
    ),
    required: ['attribute7'],
  };
  const rules: ObjectRules = { attributeSchema, stateSchema: null, allowUnknownAttributes: false };

  async function besideOthers<T>(work: () => T | Promise<T>): Promise<{ value: T; order: string[] }> {
    const order: string[] = [];
    let turn = setImmediate(function next() {
      order.push('another turn');
      if (order.length < 3) turn = setImmediate(next);
    });
    try {
      const value = await work();
      return { value, order: [...order, 'done'] };
    } finally {
      clearImmediate(turn);
    }
  }
  const BESIDE = ['another turn', 'another turn', 'another turn', 'done'];

  test('is checked, with its entities, in parallel with other work', async () => {
    expect(JSON.stringify(attributeSchema).length).toBeGreaterThan(60_000);
    const problems = await besideOthers(() => evaluation.ruleProblems('w', rules, LIMITS));
    expect(problems).toEqual({ value: [], order: BESIDE });
    const compiled = compileRules(rules);
    const fresh = new Evaluation({ timeoutMs: 1_000, threads: 1, maxResultBytes: 1_000_000, schemaCompileMs });
    const check = fresh.attributesCheck('w');
    const good = await besideOthers(() => check(compiled, { attribute7: 'abc' }));
    expect(good).toEqual({ value: { errors: [], unknown: [], references: [] }, order: BESIDE });
    const bad = await check(compiled, { attribute8: '1', other: 1 });
    expect(bad.errors.map(({ path }) => path).sort()).toEqual(['attributes.attribute7', 'attributes.attribute8']);
    expect(bad.unknown).toEqual(['other']);
    const { sampleRow } = await fresh.template('w', 'T', compiled, new Map());
    expect(sampleRow).toMatchObject({ name: 'Sample T', attribute7: expect.any(String) });
  });

  test('has a time of its own: the entity has its whole budget', async () => {
    const hasty = new Evaluation({ timeoutMs: 1, threads: 1, maxResultBytes: 1_000_000, schemaCompileMs });
    // Far less than the schema takes; the check itself reads the clock after much more work.
    const checked = await hasty.attributesCheck('w')(compileRules(rules), { attribute7: 'abc' });
    expect(checked.errors).toEqual([]);
  });

  test('that takes too long to compile is refused, with the setting', async () => {
    const short = new Evaluation({ timeoutMs: 1_000, threads: 1, maxResultBytes: 1_000_000, schemaCompileMs: 1 });
    // 1 ms, and a thread's grace of one second.
    const slow = { properties: { a: { anyOf: Array.from({ length: 20 }, () => attributeSchema) } } };
    const wide = { ...LIMITS, bytes: 10_000_000, nodes: 1_000_000 };
    const problems = await short.ruleProblems('w', { ...rules, attributeSchema: slow }, wide);
    expect(problems).toEqual([
      { path: 'attributeSchema', message: expect.stringContaining('OBJECT_SCHEMA_COMPILE_MS') },
    ]);
  });

  test('a small one is looked at and checked at once', () => {
    const few = { ...rules, attributeSchema: { properties: { a: { type: 'string' } } } };
    expect(evaluation.ruleProblems('w', few, LIMITS)).toEqual([]);
    const checked = evaluation.attributesCheck('w')(compileRules(few), { a: 'x' });
    expect(checked).toEqual({ errors: [], unknown: [], references: [] });
  });
});

test('a workspace whose evaluations are slow leaves others their turn', async () => {
  const slow = compileValue('{{ trigger.l.map(a, size(trigger.t)).size() }}');
  const order: string[] = [];
  const of = async (workspaceId: string, count: number) => {
    const many = { l: MANY.slice(0, count), t: LONG };
    await outcomeOf(() => evaluation.value(workspaceId, slow, scopeOf(many)));
    order.push(workspaceId);
  };
  const many = Array.from({ length: 8 }, () => of('many', 15));
  await Promise.all([...many, of('one', 2)]);
  expect(order.indexOf('one')).toBeLessThan(7);
});

test('a thread gives what the caller would have given itself', () => {
  const part = fc.constantFrom(
    'trigger.n',
    'trigger.n + 1',
    '"a" + trigger.s',
    'trigger.l.map(x, x * 2)',
    'size(trigger.s) > 2 ? trigger.l : [trigger.s]',
    'trigger.gone',
    'trigger.s.matches("^a+$")',
    'json(trigger)',
  );
  const trigger = fc.record({ n: fc.integer(), s: fc.string(), l: fc.array(fc.integer({ max: 1_000, min: -1_000 })) });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), part, trigger, (parts, single, data) => {
      const value: Json = { single: `{{ ${single} }}`, text: parts.map((each) => `{{ ${each} }}`).join(' ') };
      const scope = scopeOf(data);
      const own = () => {
        try {
          return { kind: 'value', value: compileValue(value).evaluate(scope) };
        } catch (error) {
          const { path, reason } = error as { path: string; reason: string };
          return { kind: 'failed', path, fault: { reason } };
        }
      };
      const task: EvaluationTask = { kind: 'value', value, scope };
      const limits = { work: 5_000_000, resultBytes: 10_000_000, timeMs: 60_000 };
      expect(performEvaluation({ task, limits })).toMatchObject(own());
    }),
  );
});
