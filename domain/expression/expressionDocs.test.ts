import { expect, test } from '@jest/globals';
import {
  EXAMPLE_SCOPE,
  EXPRESSION_EXAMPLES,
  EXPRESSIONS_PAGE,
} from '../../test/setup/documents/documentedExpressions.ts';
import { compileValue } from './compiledValue.ts';
import { CEL_FUNCTIONS } from './functions/table.ts';
import type { Scope } from './scope.ts';

const page = EXPRESSIONS_PAGE;
const examples = EXPRESSION_EXAMPLES;
const scope = JSON.parse(EXAMPLE_SCOPE) as Scope;

test.each(examples)('docs/expressions.md: $expression is $json', ({ expression, json }) => {
  expect(compileValue(`{{ ${expression} }}`).evaluate(scope)).toEqual(JSON.parse(json));
});

const [, javascript = ''] = /## Translate from JavaScript\n([\s\S]*?)\n## /.exec(page) ?? [];
const idioms = [...javascript.matchAll(/^\| (`+) ?([^\n]+?) ?\1 \|/gm)].map(([, , idiom = '']) =>
  idiom.replaceAll('\\|', '|'),
);

test('docs/expressions.md: the table for JavaScript has its rows', () => expect(idioms.length).toBeGreaterThan(20));

test.each(idioms)('docs/expressions.md: %s says what to write', (idiom) => {
  const work = () => compileValue(`{{ ${idiom} }}`).evaluate(scope);
  expect(work).toThrow(/: write .+ \(at position \d+ of /);
});

test.each(CEL_FUNCTIONS.map(({ name, signature }) => ({ name, signature })))(
  'docs/expressions.md has $name with its signature and an example',
  ({ name, signature }) => {
    expect(page).toContain(`\`${signature}\``);
    expect(examples.some(({ expression }) => new RegExp(`\\b${name}\\(`).test(expression))).toBe(true);
  },
);
