import { expect, test } from '@jest/globals';
import { compileValue } from './compiledValue.ts';
import { failure, value } from './evaluation.fixture.ts';

const fault = (expression: string) => failure(() => compileValue(`{{ ${expression} }}`));

test.each<[string, string, number]>([
  ['trigger.s === 3', 'there is no ===: write ==', 10],
  ['trigger.s !== "==="', 'there is no !==: write !=', 10],
  ['trigger.s = 3', 'there is no =: write ==, or cel.bind(x, value, …) to name a value', 10],
  ['trigger.many.map(x => x * 2)', 'there is no =>: write list.map(x, x * 2)', 19],
  ['trigger.many.map((x, i) => f(x, "=>"))', 'there is no =>: write list.map(x, f(x, "=>"))', 24],
  ['trigger.many.find(x => x > 1).a', 'there is no =>: write list.filter(x, x > 1).first()', 20],
  ['trigger.many.some(one => one.a == 1)', 'there is no =>: write list.exists(one, one.a == 1)', 22],
  ['trigger.many.reduce((a, x) => a + x, 0)', 'there is no =>: write list.map(x, …).sum()', 27],
  ['trigger.z?.a', 'there is no ?.: write .?, as in trigger.z.?a.orValue(null)', 9],
  ['trigger.z ?? 1', 'there is no ??: write trigger.?z.orValue(…)', 10],
  ['[...trigger.many]', 'there is no ...: write merge(a, b) for maps, a + b for lists', 1],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: JavaScript that somebody wrote
  ['`a${trigger.s}`', 'there is no text in backticks: write "…" + value + "…", or text with {{ }} in it', 0],
  ['new Date()', 'there is no new Date(): write now', 0],
  ['new Date("2026-01-01")', 'there is no new Date: write timestamp(…)', 0],
  ['Date.now()', 'there is no function Date.now: write now', 0],
  ['trigger.many.includes(3)', 'there is no function includes: write trigger.many.contains(3)', 0],
  ['trigger.s.toUpperCase()', 'there is no function toUpperCase: write upper(trigger.s)', 0],
  ['trigger.many.length()', 'there is no function length: write size(trigger.many)', 0],
  ['JSON.stringify(trigger)', 'there is no function JSON.stringify: write json(trigger)', 0],
  ['Object.keys(trigger)', 'there is no function Object.keys: write keys(trigger)', 0],
  ['Object.groupBy(trigger)', 'there is no function Object.groupBy', 0],
  ['Math.max(1, trigger.n)', 'there is no function Math.max: write max(1, trigger.n)', 0],
  ['Math.PI', 'unknown variable: Math: write round(), floor(), min() and so on', 0],
  ['parseInt(trigger.s)', 'there is no function parseInt: write int(trigger.s)', 0],
  ['trigger.n == undefined', 'unknown variable: undefined: write null, or has(path) to check whether it exists', 13],
  ['{"a": 1, b: 2}', 'unknown variable: b: write "b"', 9],
  ['trigger.n > 1 and trigger.yes', 'there is no and: write &&', 14],
  ['trigger.s || "x"', 'logical operator requires bool operands', 0],
  ['"n: " + 1', 'no such overload: string + int: write string(x) around the other operand', 0],
  ['"a,b".length', '"a,b" is text, and has no length: write size("a,b")', 6],
  ['split("a,b", ",").length', 'split("a,b", ",") is a list, and has no length: write size(split("a,b", ","))', 18],
  ['size("a").foo', 'size("a") is a number, and has no foo', 10],
  ['timestamp("2026-01-01").getTime', 'is a time, and has no getTime', 24],
  ['now.length', 'now is a time, and has no length', 4],
])('%s: %s', (expression, reason, position) => {
  const { reason: said, position: at } = fault(expression);
  expect([said.slice(said.indexOf(reason.slice(0, 9))), at]).toEqual([expect.stringContaining(reason), position]);
});

test.each<[string, string]>([
  ['trigger.body.items.length', 'trigger.body.items is a list: write size(trigger.body.items)'],
  ['trigger.s.length', 'trigger.s is text: write size(trigger.s)'],
  ['"n: " + trigger.n', 'write string(x) around the other operand'],
  ['"x" in trigger.s', 'write text.contains(part)'],
])('%s, whose type depends on the data: %s', (expression, reason) => {
  expect(failure(() => value(expression)).reason).toContain(reason);
});

test('text that only looks like JavaScript is unchanged', () => {
  expect(value('"a => b === c ?? `d` new Date()"')).toBe('a => b === c ?? `d` new Date()');
  expect(value('{"length": 3}.length')).toBe(3);
  expect(value('trigger.n >= 5 && trigger.n <= 5 && trigger.n != 6 ? 0.5 : 1')).toBe(0.5);
  expect(value('[1, 2].exists(or, or == 2)')).toBe(true);
  // Other mistakes keep their normal message.
  expect(fault('trigger.n +').reason).toBe('the expression ends too early');
});
