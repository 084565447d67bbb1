import { describe, expect, test } from '@jest/globals';
import type { Json } from '../json.ts';
import { compileValue } from './compiledValue.ts';
import { scope as cheap, failure } from './evaluation.fixture.ts';
import { CEL_FUNCTIONS } from './functions/table.ts';
import { INLINE_WORK, InlineSpent, MAX_WORK, Meter, type MeterLimits, metered } from './meter.ts';
import { STANDARD_NAMES } from './program.ts';

const SMALL = 500;
const TIMES = 20;

function sized(size: number): Json {
  const numbers = Array.from({ length: size }, (_, index) => (index * 7_919) % size);
  const text = 'ab,'.repeat(size);
  return {
    text,
    // Equal, without sharing any part.
    same: `${text.slice(0, -1)}${[',']}`,
    upper: text.toUpperCase(),
    base64: Buffer.from(text).toString('base64'),
    json: JSON.stringify(numbers),
    list: numbers,
    sameList: [...numbers],
    lists: numbers.map((each) => [each]),
    texts: numbers.map((each) => `t${each}`),
    maps: numbers.map((a) => ({ a })),
    map: Object.fromEntries(numbers.map((each) => [`k${each}`, each])),
    sameMap: Object.fromEntries(numbers.map((each) => [`k${each}`, each])),
    pair: '😀'.repeat(size),
    count: size,
  };
}

function workOf(expression: string, trigger: Json): number {
  const compiled = compileValue(`{{ ${expression} }}`);
  const meter = new Meter({ work: 1e9, resultBytes: 1e9 });
  // Some fail with such data. Only the work until then counts.
  try {
    metered(meter, () => compiled.evaluate({ ...cheap, trigger }));
  } catch {
    return meter.spent;
  }
  return meter.spent;
}

/** Expressions whose work is proportional to the size of their values, by function. */
const IN_PROPORTION: Readonly<Record<string, string>> = {
  upper: 'upper(trigger.text)',
  lower: 'lower(trigger.text)',
  trim: 'trim(trigger.text)',
  split: 'split(trigger.text, ",").size()',
  join: 'size(join(trigger.texts, ","))',
  replace: 'replace(trigger.text, ",", ";")',
  replacePattern: 'replacePattern(trigger.text, "[a-c]", "x")',
  contains: 'contains(trigger.text, "z")',
  startsWith: 'startsWith(trigger.text, trigger.same)',
  endsWith: 'endsWith(trigger.text, trigger.same)',
  matches: 'matches(trigger.text, "z$")',
  substring: 'substring(trigger.pair, 3)',
  padStart: 'padStart("", trigger.count * 10)',
  padEnd: 'padEnd("", trigger.count * 10)',
  indexOf: 'indexOf(trigger.text, "z")',
  lastIndexOf: 'lastIndexOf(trigger.text, "z")',
  sum: 'sum(trigger.list)',
  min: 'min(trigger.list)',
  max: 'max(trigger.list)',
  avg: 'avg(trigger.list)',
  flatten: 'flatten(trigger.lists).size()',
  distinct: 'distinct(trigger.list).size()',
  sort: 'sort(trigger.list).size()',
  sortBy: 'sortBy(trigger.maps, "a").size()',
  groupBy: 'groupBy(trigger.maps, "a").size()',
  reverse: 'reverse(trigger.list).size()',
  slice: 'slice(trigger.list, 1).size()',
  keys: 'keys(trigger.map).size()',
  values: 'values(trigger.map).size()',
  entries: 'entries(trigger.map).size()',
  merge: 'merge(trigger.map, trigger.sameMap).size()',
  json: 'size(json(trigger.list))',
  parseJson: 'parseJson(trigger.json).size()',
  base64: 'base64(trigger.text)',
  parseBase64: 'parseBase64(trigger.base64)',
  urlEncode: 'urlEncode(trigger.text)',
  sha256: 'sha256(trigger.text)',
  formatTime: 'formatTime("2026-01-01", trigger.text)',
  timestamp: 'timestamp(trigger.text + "x")',
  duration: 'duration(trigger.text)',
  size: 'size(trigger.text)',
  bytes: 'bytes(trigger.text).size()',
  string: 'string(bytes(trigger.text))',
  double: 'double(trigger.text)',
  int: 'int(trigger.text)',
  uint: 'uint(trigger.text)',
  bool: 'bool(trigger.text)',
  dyn: 'dyn(trigger.text)',
  type: 'type(trigger.text)',
  lowerAscii: 'trigger.text.lowerAscii()',
  upperAscii: 'trigger.text.upperAscii()',
  hex: 'bytes(trigger.text).hex()',
  at: 'bytes(trigger.text).at(1)',
  all: 'trigger.list.all(x, x >= 0)',
  exists: 'trigger.list.exists(x, x < 0)',
  exists_one: 'trigger.list.exists_one(x, x < 0)',
  map: 'trigger.list.map(x, x).size()',
  filter: 'trigger.list.filter(x, false).size()',
  bind: 'cel.bind(x, trigger.text, size(x))',
};

/** Functions that read a value of fixed size, or one element. */
const FIXED: Readonly<Record<string, string>> = {
  first: 'the first element',
  last: 'the last element',
  round: 'a number',
  floor: 'a number',
  ceil: 'a number',
  abs: 'a number',
  has: 'a path of the expression',
  of: 'holds its value',
  none: 'nothing',
  ofNonZeroValue: 'holds its value',
  hasValue: 'a flag',
  value: 'the held value',
  or: 'the held value',
  orValue: 'the held value',
  optMap: 'one value',
  optFlatMap: 'one value',
  ...Object.fromEntries(
    CEL_FUNCTIONS.filter(({ name }) => /^get[A-Z]/.test(name)).map(({ name }) => [name, 'a part of a time']),
  ),
};

describe('work', () => {
  const names = [...new Set([...CEL_FUNCTIONS.map(({ name }) => name), ...STANDARD_NAMES])];

  test('every function is among these', () => {
    const known = new Set([...Object.keys(IN_PROPORTION), ...Object.keys(FIXED)]);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  const [small, large] = [sized(SMALL), sized(SMALL * TIMES)];

  test.each(Object.entries(IN_PROPORTION))(
    'the charge of %s is proportional to the size of its values: %s',
    (_, expression) => {
      const [few, many] = [workOf(expression, small), workOf(expression, large)];
      // A part of the work is the same for all sizes.
      expect(many / few).toBeGreaterThan(TIMES / 4);
      expect(many).toBeGreaterThan((3 * SMALL * TIMES) / 128);
    },
  );

  test.each([
    ['==', 'trigger.text == trigger.same'],
    ['!=', 'trigger.text != trigger.same'],
    ['== of lists', 'trigger.list == trigger.sameList'],
    ['== of maps', 'trigger.map == trigger.sameMap'],
    ['<', 'trigger.text < trigger.same'],
    ['>=', 'trigger.text >= trigger.same'],
    ['in a list', '-1 in trigger.list'],
    ['in a map', 'trigger.text in trigger.map'],
    ['+ of texts', 'trigger.text + trigger.same'],
    ['+ of lists', '(trigger.list + trigger.sameList).size()'],
    ['+ of bytes', '(bytes(trigger.text) + bytes(trigger.same)).size()'],
    ['a member', 'trigger.map[trigger.text]'],
    ['an optional member', 'trigger.map[?trigger.text]'],
    ['keys of a map in a loop', 'trigger.map.exists(k, true)'],
    ['a result that is made', '[trigger.list]'],
  ])('the charge of %s is proportional to the size of its values: %s', (_, expression) => {
    expect(workOf(expression, large) / workOf(expression, small)).toBeGreaterThan(TIMES / 4);
  });

  test('a pattern is charged by the size of its program, and so is making it', () => {
    const text = 'trigger.text.substring(0, 900)';
    const [plain, wide] = ['x', '(x?){200}'].map((pattern) => workOf(`matches(${text}, "${pattern}[yz]$")`, small));
    expect(wide as number).toBeGreaterThan(20 * (plain as number));
    // The compiled pattern is cached.
    const again = workOf(`matches(${text}, "(x?){200}[yz]$")`, small);
    expect(again).toBeLessThan(wide as number);
    expect(again).toBeGreaterThan(5 * (plain as number));
  });

  test('each step of a loop is charged for what it evaluates', () => {
    const body = (terms: number) => `trigger.list.map(x, ${Array(terms).fill('true').join(' && ')}).size()`;
    expect(workOf(body(400), small)).toBeGreaterThan(20 * workOf(body(4), small));
  });

  test('an error that CEL passes over is charged', () => {
    expect(workOf('trigger.list.exists(x, trigger.gone)', small)).toBeGreaterThan(50 * SMALL);
    expect(workOf('trigger.list.map(x, trigger.gone || true).size()', small)).toBeGreaterThan(50 * SMALL);
  });
});

const FULL: MeterLimits = { work: MAX_WORK, resultBytes: 1_000 };

describe('one meter for all parts of a value', () => {
  const evaluated = (value: Json, limits: MeterLimits = FULL) =>
    metered(new Meter(limits), () => compileValue(value).evaluate(cheap));

  test('the work of all templates is added up', () => {
    const one = '{{ trigger.many.map(x, x).size() }}';
    expect(evaluated([one, one])).toEqual([5_000, 5_000]);
    const error = failure(() => evaluated(Array(2_000).fill(one), { ...FULL, resultBytes: 100_000 }));
    expect(error).toMatchObject({ code: 'EXPRESSION_LIMIT', reason: 'the expression takes more than 5,000,000 steps' });
    expect(error.path).toMatch(/^\[\d+\]$/);
  });

  test('results are counted before they are joined, and where they are placed', () => {
    const body = 'x'.repeat(300);
    const of = (value: Json) => () =>
      metered(new Meter(FULL), () => compileValue(value).evaluate({ ...cheap, trigger: { body, list: [body] } }));
    const said = { code: 'EXPRESSION_LIMIT', reason: 'the results have more than 1,000 bytes (MAX_OUTPUT_BYTES)' };
    expect(of('{{ trigger.body }}{{ trigger.body }}')()).toHaveLength(600);
    expect(failure(of({ a: '{{trigger.body}}'.repeat(4) }))).toMatchObject({
      ...said,
      path: 'a',
      text: 'trigger.body',
    });
    expect(failure(of(Array(4).fill('{{ trigger.list }}')))).toMatchObject({ ...said, path: '[3]' });
    expect(failure(of('as text: {{ [trigger.list, trigger.list, trigger.list, trigger.list] }}'))).toMatchObject(said);
  });

  test('the clock ends it', () => {
    let now = 0;
    const clock = { now: () => (now += 100), timeMs: 1_000 };
    const value = '{{ trigger.many.map(a, trigger.many.map(b, b)).size() }}';
    expect(failure(() => evaluated(value, { ...FULL, clock }))).toMatchObject({
      code: 'EXPRESSION_LIMIT',
      reason: 'the expression takes more than 1,000 ms (EXPRESSION_TIMEOUT_MS)',
    });
  });

  test('an inline evaluation ends after some milliseconds, even if CEL ignores failures', () => {
    const inline = { work: INLINE_WORK, resultBytes: 1_000, isInline: true };
    expect(evaluated('{{ trigger.n }}', inline)).toBe(5);
    for (const expression of [
      'trigger.many.exists(a, trigger.many.exists(b, trigger.many.map(c, c).size() < 0))',
      'trigger.many.map(a, trigger.many.map(b, b)).size() > 0 || true',
      'trigger.many.all(a, trigger.gone)',
    ]) {
      expect(() => evaluated(`{{ ${expression} }}`, inline)).toThrow(InlineSpent);
    }
  });

  test('texts that are made on the way have a bound of their own', () => {
    const value = '{{ trigger.many.map(a, padStart("", 1000000)).size() }}';
    expect(failure(() => evaluated(value)).reason).toBe(
      'the expression makes more than 134,217,728 bytes of intermediate results',
    );
  });
});
