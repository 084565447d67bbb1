import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../json.ts';
import { failure, value } from '../evaluation.fixture.ts';
import { CEL_FUNCTIONS } from './table.ts';

const EXAMPLES: Record<string, [string, Json][]> = {
  upper: [
    ['trigger.s.upper()', 'X'],
    ['upper("ß")', 'SS'],
  ],
  lower: [['"ÄB".lower()', 'äb']],
  trim: [['" a ".trim()', 'a']],
  split: [
    ['"a,b,c".split(",")', ['a', 'b', 'c']],
    ['split("ab", "")', ['a', 'b']],
    ['"a,b,c".split(",", 2)', ['a', 'b,c']],
  ],
  join: [
    ['["a", 1, null].join("-")', 'a-1-null'],
    ['["a", "b"].join()', 'ab'],
  ],
  replace: [['"a.b.c".replace(".", "$&")', 'a$&b$&c']],
  replacePattern: [['"a1b22".replacePattern("([0-9]+)", "<$1>")', 'a<1>b<22>']],
  contains: [
    ['"abc".contains("b")', true],
    ['[1, 2].contains(2.0)', true],
  ],
  startsWith: [['"abc".startsWith("ab")', true]],
  endsWith: [['"abc".endsWith("ab")', false]],
  matches: [
    ['"abc".matches("b")', true],
    ['matches("abc", "^b$")', false],
  ],
  substring: [
    ['"héllo".substring(1, 3)', 'él'],
    ['"hello".substring(-3)', 'llo'],
    ['"😀b".substring(1)', 'b'],
    ['"ab".substring(1, 9)', 'b'],
  ],
  padStart: [
    ['"7".padStart(3, "0")', '007'],
    ['"abc".padStart(2)', 'abc'],
  ],
  padEnd: [['"a".padEnd(4, "xy")', 'axyx']],
  indexOf: [
    ['[1, 2].indexOf(2)', 1],
    ['"abc".indexOf("z")', -1],
    ['"😀b".indexOf("b")', 1],
  ],
  lastIndexOf: [['"abab".lastIndexOf("b")', 3]],
  sum: [
    ['trigger.body.items.map(i, i.a).sum()', 5],
    ['[].sum()', 0],
    ['sum([1, trigger.half])', 1.5],
  ],
  min: [
    ['[3, 1, 2].min()', 1],
    ['min(2, trigger.half)', 0.5],
  ],
  max: [['["b", "a"].max()', 'b']],
  avg: [['[1, 2].avg()', 1.5]],
  first: [['[1, 2].first()', 1]],
  last: [['[1, 2].last()', 2]],
  flatten: [['[[1], 2, [[3]]].flatten()', [1, 2, [3]]]],
  distinct: [['[1, 1.0, "1", {"a": 1, "b": 2}, {"b": 2, "a": 1}].distinct()', [1, '1', { a: 1, b: 2 }]]],
  sort: [
    ['[2, null, 0.5, 10].sort()', [0.5, 2, 10, null]],
    ['["b", "a"].sort()', ['a', 'b']],
  ],
  sortBy: [
    ['trigger.body.items.sortBy(x, x.a).map(x, x.b)', ['p', 'q', 'r']],
    ['trigger.body.items.sortBy("a").map(x, x.b)', ['p', 'q', 'r']],
    ['trigger.body.items.sortBy(x, -x.a).map(x, x.b)', ['q', 'r', 'p']],
    ['[{"a": 1}, {}, {"a": 0}].sortBy("a")', [{ a: 0 }, { a: 1 }, {}]],
  ],
  groupBy: [
    ['trigger.body.items.groupBy(x, x.a).keys()', ['1', '2']],
    ['trigger.body.items.groupBy("b")["q"][0].a', 2],
    ['["__proto__"].groupBy(x, x).keys()', ['__proto__']],
  ],
  reverse: [
    ['[1, 2].reverse()', [2, 1]],
    ['"ab".reverse()', 'ba'],
  ],
  slice: [
    ['[1, 2, 3].slice(1)', [2, 3]],
    ['[1, 2, 3].slice(0, -1)', [1, 2]],
  ],
  keys: [['{"a": 1}.keys()', ['a']]],
  values: [['{"a": 1}.values()', [1]]],
  entries: [['{"a": 1}.entries()', [{ key: 'a', value: 1 }]]],
  merge: [
    ['{"a": 1}.merge({"a": 2, "b": 3})', { a: 2, b: 3 }],
    ['merge({"a": 1}, {}, {"c": 2})', { a: 1, c: 2 }],
  ],
  round: [
    ['round(2.5)', 3],
    ['round(-2.5)', -3],
    ['round(1.005, 2)', 1.01],
    ['round(1250, -2)', 1300],
    ['round(7)', 7],
  ],
  floor: [['floor(-1.5)', -2]],
  ceil: [['ceil(1.2)', 2]],
  abs: [['abs(-3)', 3]],
  timestamp: [
    ['timestamp("2026-01-01")', '2026-01-01T00:00:00.000Z'],
    ['timestamp("2026-01-01T10:00:00+02:00")', '2026-01-01T08:00:00.000Z'],
    ['timestamp(0)', '1970-01-01T00:00:00.000Z'],
    ['timestamp("2026-01-01") < timestamp("2026-01-02")', true],
    ['timestamp(execution.startedAt).getFullYear()', 2026],
  ],
  duration: [
    ['duration("1h30m")', 5_400_000],
    ['timestamp("2026-01-01") + duration("2d")', '2026-01-03T00:00:00.000Z'],
    ['timestamp("2026-01-02") - timestamp("2026-01-01") == duration("24h")', true],
    ['duration(1500)', 1500],
    ['duration("-1s")', -1000],
  ],
  formatTime: [
    ['formatTime(execution.startedAt, "yyyy-MM-dd HH:mm:ss.SSS XXX")', '2026-01-31 22:30:00.500 Z'],
    [
      'formatTime(execution.startedAt, "EEE d MMM yyyy, h:mm a \'in\' XXX", "Europe/Berlin")',
      'Sat 31 Jan 2026, 11:30 PM in +01:00',
    ],
    ['formatTime("2026-07-01T22:30:00Z", "dd.MM. HH:mm", "Europe/Berlin")', '02.07. 00:30'],
    ['formatTime("2026-07-01T22:30:00Z", "dd.MM. HH:mm XXX", "-03:30")', '01.07. 19:00 -03:30'],
  ],
  getFullYear: [
    ['timestamp("2026-12-31T23:30:00Z").getFullYear()', 2026],
    ['timestamp("2026-12-31T23:30:00Z").getFullYear("Europe/Berlin")', 2027],
    ['timestamp("0050-01-01T00:30:00Z").getFullYear("UTC")', 50],
  ],
  getMonth: [['timestamp("2026-12-31T23:30:00Z").getMonth()', 11]],
  getDate: [['timestamp("2026-03-29T01:30:00Z").getDate()', 29]],
  getDayOfMonth: [['timestamp("2026-03-29T01:30:00Z").getDayOfMonth()', 28]],
  getDayOfWeek: [
    ['timestamp("2026-03-29T01:30:00Z").getDayOfWeek()', 0],
    ['timestamp("2026-03-29T01:30:00Z").getDayOfWeek("America/New_York")', 6],
  ],
  getDayOfYear: [
    ['timestamp("2026-01-01").getDayOfYear()', 0],
    ['timestamp("2026-07-01T00:30:00Z").getDayOfYear()', 181],
    ['timestamp("2026-07-01T00:30:00Z").getDayOfYear("America/New_York")', 180],
    ['timestamp("2028-12-31").getDayOfYear()', 365],
  ],
  getHours: [
    ['timestamp("2026-03-29T00:30:00Z").getHours("Europe/Berlin")', 1],
    ['timestamp("2026-03-29T01:30:00Z").getHours("Europe/Berlin")', 3],
    ['timestamp("2026-03-29T06:30:00Z").getHours("America/New_York")', 2],
    ['timestamp("2026-03-29T06:30:00Z").getHours("-02:30")', 4],
    ['timestamp("2026-03-29T07:00:00Z").getHours() / 2', 3],
    ['duration("90m").getHours()', 1],
  ],
  getMinutes: [
    ['timestamp("2026-03-29T06:30:00Z").getMinutes("+05:45")', 15],
    ['duration("90m").getMinutes()', 90],
  ],
  getSeconds: [
    ['timestamp("2026-03-29T06:30:07Z").getSeconds()', 7],
    ['duration("90m").getSeconds()', 5400],
  ],
  getMilliseconds: [
    ['timestamp("2026-03-29T06:30:07.123Z").getMilliseconds("Asia/Kolkata")', 123],
    ['duration("1500ms").getMilliseconds()', 1500],
  ],
  json: [['json({"a": [1, null]})', '{"a":[1,null]}']],
  parseJson: [['parseJson("{\\"a\\": 1}").a + 1', 2]],
  base64: [
    ['base64("ä")', 'w6Q='],
    ['base64(b"abc")', 'YWJj'],
  ],
  parseBase64: [['parseBase64("w6Q=")', 'ä']],
  urlEncode: [['urlEncode("a b&ä")', 'a%20b%26%C3%A4']],
  sha256: [['sha256("abc")', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad']],
};

describe('functions', () => {
  test('each has examples', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual(CEL_FUNCTIONS.map(({ name }) => name).sort());
  });

  test.each(Object.values(EXAMPLES).flat())('%s', (expression, expected) => {
    expect(value(expression)).toEqual(expected);
  });

  test.each([
    ['upper(1)', 'upper(): the first argument must be text, got a number'],
    ['upper()', 'expected upper(text) → text'],
    ['trigger.s.nope()', 'there is no function nope'],
    ['[].first()', 'empty list'],
    ['[1, "a"].sum()', 'element 1 must be a number, got text'],
    ['[1, "a"].sort()', 'cannot be compared'],
    ['"a".matches("(")', 'not valid'],
    ['"a".matches("(?=a)")', 'not valid'],
    ['timestamp("2026-02-30")', 'not an ISO 8601 time'],
    ['duration("1y")', 'not a duration'],
    ['formatTime("2026-01-01", "QQ")', 'letter Q'],
    ['formatTime("2026-01-01", "yyyy", "Mars/X")', 'not a time zone'],
    ['timestamp("2026-01-01").getHours("Mars/X")', 'not a time zone'],
    ['timestamp("2026-01-01").getHours("+24:00")', 'not a time zone'],
    ['"2026-01-01".getHours()', 'expected a time or a duration, got text'],
    ['duration("1h").getMonth()', 'expected a time, got a duration'],
    ['parseJson("{")', 'not JSON'],
    ['parseBase64("/w==")', 'not UTF-8'],
    ['"a".padStart(20000000)', 'more than'],
  ])('%s fails', (expression, said) => expect(failure(() => value(expression)).message).toContain(said));
});
