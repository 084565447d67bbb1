import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../json.ts';
import { compileValue } from './compiledValue.ts';
import { failure, scope, value } from './evaluation.fixture.ts';
import { MAX_EXPRESSION_LENGTH } from './program.ts';

describe('paths', () => {
  test.each<[string, Json]>([
    ['steps["a-b"].output.x', 1],
    ['steps.b.error.code', 'E'],
    ['has(trigger.q.r)', false],
    ['has(steps["a-b"].output.x)', true],
    ['has(steps.gone.output.x)', false],
    ['trigger.?q.orValue(3)', 3],
    ['trigger.?q.r.orValue(3)', 3],
    ['trigger.?n.orValue(3)', 5],
    ['trigger.?q', null],
    ['trigger.constructor', 7],
    ['{"constructor": 1, "__proto__": 2}["__proto__"]', 2],
    ['trigger.body.items[1].a', 1],
    ['execution.number', 9],
    ['b"abc"', 'YWJj'],
    ['type(1)', 'int'],
    ['cel.bind(x, trigger.n, x * x)', 25],
    ['trigger.body.items.filter(i, i.a > 1).exists(i, i.b == "r")', true],
  ])('%s', (expression, expected) => expect(value(expression)).toEqual(expected));

  test.each<[string, string, number]>([
    ['trigger.nope.x', 'trigger.nope is missing: trigger has no key "nope"', 8],
    ['trigger.__proto__', 'trigger.__proto__ is missing', 8],
    ['trigger.body.constructor', 'trigger.body.constructor is missing', 13],
    ['trigger.body.items.length', 'trigger.body.items is a list', 19],
    ['trigger.s.length', 'trigger.s is text', 10],
    ['timestamp("2026-01-01").getTime', 'is a time', 24],
    ['1 + trigger.z.a', 'trigger.z is null', 14],
    ['trigger.body.items[5]', 'has 3 elements', 19],
    ['steps.c.output', 'has not run', 6],
    ['loop.item', 'only inside loops', 0],
    ['trigger.s ? 1 : 2', 'must be bool', 8],
  ])('%s fails with its place', (expression, said, position) => {
    const error = failure(() => value(expression));
    expect(error.message).toContain(said);
    expect(error).toMatchObject({ code: 'EXPRESSION_FAILED', text: expression, position });
  });

  test('loop, though CEL reserves the word', () => {
    const inside = { ...scope, loop: { item: { loop: 'loop' }, index: 2, total: 4 } };
    const compiled = compileValue('{{ loop.item.loop + " loop" + string(loop.index) }}');
    expect(compiled.references.loop).toBe(true);
    expect(compiled.evaluate(inside)).toBe('loop loop2');
  });
});

describe('broken expressions', () => {
  test.each<[string, number, string | undefined]>([
    ['foo.bar', 0, 'one of trigger, steps, variables, execution, loop, loops, now'],
    ['trigger.a +', 11, 'a value'],
    ['(trigger.a', 10, ')'],
    ['trigger.a)', 9, 'an operator or the end'],
    ['', 0, 'a value'],
    ['execution.foo', 10, undefined],
    ['steps.b.input', 8, 'steps.b.output or steps.b.error or steps.b.link'],
    ['trigger.map(trigger, 1)', 12, 'another name for the variable'],
    ['"a" + 1', 0, undefined],
  ])('%s', (expression, position, expected) => {
    const error = failure(() => compileValue({ headers: { auth: [`{{ ${expression} }}`] } }));
    expect(error).toMatchObject({ text: expression, position, path: 'headers.auth[0]' });
    if (expected !== undefined) expect(error.expected).toBe(expected);
  });

  test('an expression has a maximum length, which the message names', () => {
    const error = failure(() => compileValue(`{{ "${'a'.repeat(MAX_EXPRESSION_LENGTH)}" }}`));
    expect(error.message).toContain('at most 4,096');
  });

  test('an expression without an end', () => {
    expect(failure(() => compileValue('a {{ trigger.n')).expected).toBe('}}');
    const literal = failure(() => compileValue('{{ trigger.n + "abc }}'));
    expect(literal).toMatchObject({ position: 12, expected: 'a closing quotation mark' });
  });

  test.each([
    'trigger.many.map(a, trigger.many.map(b, trigger.many.map(c, 1)))',
    'trigger.many.exists(a, trigger.many.exists(b, trigger.many.exists(c, false)))',
    'trigger.many.all(a, trigger.many.all(b, trigger.many.all(c, true))) || true',
    'trigger.many.sortBy(a, trigger.many.map(b, trigger.many.sum()).sum())',
    `${Array.from({ length: 40 }, (_, i) => `cel.bind(v${i + 1}, v${i} + v${i}, `)
      .join('')
      .replace('v0 + v0', 'trigger.many')}v40${')'.repeat(40)}`,
    `${Array.from({ length: 40 }, (_, i) => `cel.bind(v${i + 1}, [v${i}, v${i}], `)
      .join('')
      .replace('[v0, v0]', '[1]')}json(v40)${')'.repeat(40)}`,
  ])('an expression that takes too long is stopped: %s', (expression) => {
    // Processor time, because elapsed time would include pauses of the machine.
    const began = process.cpuUsage();
    expect(failure(() => value(expression)).message).toMatch(/more than/);
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1_000).toBeLessThan(3_000);
  });
});

describe('texts', () => {
  test.each<[Json, Json]>([
    ['plain', 'plain'],
    ['{{ trigger.n }}', 5],
    [' {{ trigger.n }}', ' 5'],
    ['a {{ trigger.s }} b {{trigger.body.items[1]}}', 'a x b {"a":1,"b":"p"}'],
    ['{{ trigger.n }}{{ trigger.n }}', '55'],
    ['{{ "{{" }}', '{{'],
    ['{{ "}}" + \'}}\' }}', '}}}}'],
    ['{{ {"a": {"b": 1}} }}', { a: { b: 1 } }],
    ['{{{"a":{"b":1}}}}', { a: { b: 1 } }],
    ['{{ """a"}}""" }}', 'a"}}'],
    ['{{ "\\"}}" }}', '"}}'],
    ['{{ 1 // }} \n }}', 1],
    [
      { a: ['{{ trigger.n }}', 1], b: { c: null } },
      { a: [5, 1], b: { c: null } },
    ],
    ['}}', '}}'],
  ])('%j', (template, expected) => expect(compileValue(template).evaluate(scope)).toEqual(expected));

  test('a value without expressions is itself', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false } as object), (json) => {
        fc.pre(!JSON.stringify(json).includes('{{'));
        expect(compileValue(json as Json).evaluate(scope)).toBe(json);
      }),
    );
  });

  test('any text survives as a CEL literal, with braces and quotes', () => {
    const nasty = fc.string({ unit: fc.constantFrom('{', '}', '"', "'", '/', 'a', ' ', 'l', 'o', 'p') });
    fc.assert(
      fc.property(nasty, nasty, nasty, (before, text, after) => {
        fc.pre(!before.includes('{{') && !before.endsWith('{') && !after.includes('{{'));
        const result = compileValue(`${before}{{ ${JSON.stringify(text)} }}${after}`).evaluate(scope);
        expect(result).toBe(before + text + after);
      }),
    );
  });

  test('data passes through expressions unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        const text = JSON.stringify(json);
        const given = { ...scope, trigger: { v: JSON.parse(text) as Json } };
        expect(JSON.stringify(compileValue('{{ [trigger.v][0] }}').evaluate(given))).toBe(text);
        expect(compileValue('{{ parseJson(json(trigger.v)) == trigger.v }}').evaluate(given)).toBe(true);
      }),
    );
  });
});

test('references come from the syntax tree', () => {
  const of = (text: string) => {
    const { steps, links, variables, loops, paths: _, ...flags } = compileValue(text).references;
    return { steps: [...steps], links: [...links], variables: [...variables], loops: [...loops], ...flags };
  };
  const flags = { allSteps: false, allVariables: false, trigger: false, loop: false, now: false };
  const none = { steps: [], links: [], variables: [], loops: [], ...flags };
  expect(of('{{ steps.a.link + steps["b-c"].link }}')).toEqual({ ...none, links: ['a', 'b-c'] });
  expect(of('"steps.a" {{ "steps.b" + {"steps": "x"}.steps }}')).toEqual(none);
  expect(of('{{ steps.a.output }} {{ steps["b-c"].?output }}')).toEqual({ ...none, steps: ['a', 'b-c'] });
  expect(of('{{ has(steps.a.output.x) }}')).toEqual({ ...none, steps: ['a'] });
  expect(of('{{ [1].map(x, steps.a.output + x) }}')).toEqual({ ...none, steps: ['a'] });
  expect(of('{{ steps[trigger.x].output }}')).toEqual({ ...none, allSteps: true, trigger: true });
  expect(of('{{ loops.outer.item + loop.index }}')).toEqual({ ...none, loop: true, loops: ['outer'] });
  expect(of('{{ size(variables) > 0 ? variables.a : 1 }}')).toEqual({ ...none, allVariables: true, variables: ['a'] });
  expect(of('{{ now > timestamp("2026-01-01") && {"now": 1}.now == 1 }}')).toEqual({ ...none, now: true });
});

test('now is the time at which a step begins', () => {
  const given = { ...scope, now: '2026-01-31T22:30:05.250Z' };
  const of = (expression: string) => compileValue(`{{ ${expression} }}`).evaluate(given);
  expect(of('now')).toBe('2026-01-31T22:30:05.250Z');
  expect(of('[now, {"at": now}]')).toEqual([given.now, { at: given.now }]);
  expect(of('string(now) + "!"')).toBe(`${given.now}!`);
  expect(of('now - timestamp(execution.startedAt) == duration("4750ms")')).toBe(true);
  expect(of('now > timestamp("2026-01-31T22:30:05Z") && now.getFullYear() == 2026')).toBe(true);
  expect(compileValue('at {{ now }}').evaluate(given)).toBe(`at ${given.now}`);
  expect(failure(() => value('now')).reason).toBe('now is not available here');
});
