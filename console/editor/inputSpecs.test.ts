import { expect, test } from '@jest/globals';
import type { Field } from '../../domain/field.ts';
import { specsOfConfig } from './inputSpecs.ts';

const field = (key: string, type: Field['type'], more: Partial<Field> = {}): Field => ({
  ...{ key, type, label: key, required: false },
  ...more,
});

test('an input that may be left out says what is taken then: in place of no choice, or in its help', () => {
  const fields = [
    field('method', 'select', { default: 'GET', options: [{ value: 'GET', label: 'Get' }] }),
    field('follow', 'boolean', { default: true }),
    field('timeoutMs', 'number', { default: 30_000, help: 'Of the whole request' }),
    field('port', 'number', { default: 5432 }),
    field('separator', 'text', { default: ', ', help: 'Between two.' }),
    field('by', 'json', { default: [{ field: '' }] }),
    field('text', 'text', { default: '' }),
    field('url', 'text'),
  ];
  expect(specsOfConfig({ fields }).map(({ key, preset, help }) => [key, preset, help])).toEqual([
    ['method', 'Get', undefined],
    ['follow', 'Yes', undefined],
    ['timeoutMs', undefined, 'Of the whole request. Empty: 30 s.'],
    ['port', undefined, 'Empty: 5432.'],
    ['separator', undefined, 'Between two. Empty: “, ”.'],
    ['by', undefined, 'Empty: [{"field":""}].'],
    ['text', undefined, undefined],
    ['url', undefined, undefined],
  ]);
});
