import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import type { Json, JsonObject } from '../json.ts';
import { expressionSchema, type Names } from './expressionSchema.ts';
import { listOf, memberOf, NUMBER, objectOf, TEXT, TIME, UNKNOWN, type ValueSchema } from './valueSchema.ts';

const page = readFileSync(join(PROJECT_ROOT, 'docs/expressions.md'), 'utf8');
const [, shared = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
const scope = JSON.parse(shared) as JsonObject;
const examples = [...page.matchAll(/`([^`\n→]+)` → `([^`\n]+)`/g)].map(([, expression = '', json = '']) => ({
  expression: expression.replaceAll('\\|', '|'),
  value: JSON.parse(json.replaceAll('\\|', '|')) as Json,
}));

/** Returns the shape of a value as a form or an action would declare it. */
function declared(value: Json | undefined): ValueSchema {
  if (typeof value === 'string') return TEXT;
  if (typeof value === 'number') return NUMBER;
  if (Array.isArray(value)) return listOf(declared(value[0]));
  if (typeof value !== 'object' || value === null) return UNKNOWN;
  return objectOf(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, declared(each)])));
}

const NAMES: Names = {
  root: (name) => (name === 'now' ? TIME : declared(scope[name])),
  step: (id) => memberOf(memberOf(declared(scope.steps), id), 'output'),
  loop: () => UNKNOWN,
};

/** Converts a schema to that of the value as a result. */
function asResult(schema: ValueSchema): ValueSchema {
  return JSON.parse(JSON.stringify(schema, (key, each) => (key === 'format' ? undefined : each)));
}

const ajv = new Ajv2020({ strict: false });

test.each(examples)('$expression: its schema holds for its value', ({ expression, value }) => {
  const schema = asResult(expressionSchema(expression, NAMES));
  expect({ schema, fits: ajv.validate(schema, value) }).toEqual({ schema, fits: true });
});

test('most documented expressions have a known schema', () => {
  const unknown = examples.filter(({ expression }) => Object.keys(expressionSchema(expression, NAMES)).length === 0);
  expect(unknown.map(({ expression }) => expression).length).toBeLessThan(examples.length / 10);
});

test.each([
  ['trigger.body.amount * 2.0', NUMBER],
  ['trigger.body.items.map(x, x.sku)', listOf(TEXT)],
  ['trigger.body.items.filter(x, x.count > 1)[0].count', NUMBER],
  ['now - timestamp(execution.startedAt)', { type: 'number', format: 'span' }],
  ['steps["send-mail"].output.id', TEXT],
  ['trigger.body.amount > 10 ? "a" : null', { anyOf: [{ const: 'a' }, { type: 'null' }] }],
  ['{"total": trigger.body.amount}', objectOf({ total: NUMBER })],
  ['trigger.body.?person.orValue("nobody")', { anyOf: [TEXT, { const: 'nobody' }] }],
  ['trigger.body.?person', UNKNOWN],
  ['parseJson("1")', UNKNOWN],
  ['1 +', UNKNOWN],
])('%s', (expression, schema) => {
  expect(expressionSchema(expression, NAMES)).toEqual(schema);
});
