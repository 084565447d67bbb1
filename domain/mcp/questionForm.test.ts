import { expect, test } from '@jest/globals';
import type { Field } from '../field.ts';
import { answerOfForm, isAskable, questionForm } from './questionForm.ts';

const field = (type: Field['type'], more: Partial<Field> = {}): Field => ({
  ...{ key: type, label: `The ${type}`, type, required: false },
  ...more,
});
const options = [{ value: 'a', label: 'Apples' }];

test('each field becomes a simple value of a flat form', () => {
  const fields = [
    field('text', { required: true }),
    field('number', { default: 3 }),
    field('select', { options, required: true, default: 'a' }),
    field('multiSelect', { options }),
    field('json', { help: 'The order' }),
  ];
  expect(questionForm(fields)).toEqual({
    type: 'object',
    properties: {
      text: { type: 'string', title: 'The text', minLength: 1 },
      number: { type: 'number', title: 'The number', default: 3 },
      select: { type: 'string', title: 'The select', enum: ['a'], enumNames: ['Apples'], default: 'a' },
      multiSelect: { type: 'array', title: 'The multiSelect', items: { anyOf: [{ const: 'a', title: 'Apples' }] } },
      json: { type: 'string', title: 'The json', description: 'The order (JSON)' },
    },
    required: ['text'],
  });
});

test('a secret is never asked for in a form', () => {
  expect(isAskable([field('text'), field('date')])).toBe(true);
  expect(isAskable([field('text'), field('secret')])).toBe(false);
});

test('JSON is typed as text, and a field that was left empty has no value', () => {
  const fields = [field('json'), field('date'), field('text')];
  expect(answerOfForm(fields, { json: '{"a":1}', date: '', text: '' })).toEqual({ json: { a: 1 }, text: '' });
  expect(answerOfForm(fields, { json: 'no json' })).toEqual({ json: 'no json' });
});
