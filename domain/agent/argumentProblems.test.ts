import { expect, test } from '@jest/globals';
import { argumentProblems } from './argumentProblems.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'string', format: 'uuid' },
    steps: {
      type: 'array',
      items: {
        type: 'object',
        properties: { title: { type: 'string', maxLength: 3 }, status: { enum: ['open', 'done'] } },
        required: ['title'],
        additionalProperties: false,
      },
    },
  },
  required: ['id'],
  additionalProperties: false,
};

test('the error lists every mistake with its place and the expected value', () => {
  expect(argumentProblems(SCHEMA, { id: '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f' })).toEqual([]);
  expect(argumentProblems(SCHEMA, { steps: [{ status: 'lost', x: 1 }, { title: 'long' }], more: 1 }).sort()).toEqual([
    'id: required',
    'more: unknown key, expected one of id, steps',
    'steps.0.status: must be equal to one of the allowed values: open, done',
    'steps.0.title: required',
    'steps.0.x: unknown key',
    'steps.1.title: must NOT have more than 3 characters',
  ]);
  expect(argumentProblems(SCHEMA, { id: 'x' })).toEqual(['id: must match format "uuid"']);
});
