import { expect, test } from '@jest/globals';
import type { Field } from '../../../../domain/field.ts';
import { inputSpecs, specsOfConfig, withOneName } from './inputSpecs.ts';

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

test('options that the service loads become a choice of one, of several, or fields', () => {
  const load = { load: true as const };
  const fields = [
    { ...field('channel', 'text'), options: { ...load, dependsOn: ['team'] } },
    { ...field('board', 'select'), options: load },
    { ...field('tags', 'multiSelect'), options: load },
    { ...field('columns', 'json'), options: load },
  ];
  expect(specsOfConfig({ fields }).map(({ key, kind, loads }) => [key, kind, loads])).toEqual([
    ['channel', 'text', { what: 'one', dependsOn: ['team'] }],
    ['board', 'text', { what: 'one', dependsOn: [] }],
    ['tags', 'json', { what: 'several', dependsOn: [] }],
    ['columns', 'json', { what: 'fields', dependsOn: [] }],
  ]);
});

test('the id of a resource and its slug next to it are one field; other neighbours stay', () => {
  const fields = [
    field('agentId', 'text', { help: 'Its id; or give its slug.' }),
    field('slug', 'text', { help: 'Its slug' }),
    field('queueId', 'text'),
    field('typeSlug', 'text'),
  ];
  const specs = specsOfConfig({
    fields,
    refersTo: {
      agentId: { kind: 'agent', by: 'id' },
      slug: { kind: 'agent', by: 'slug' },
      queueId: { kind: 'queue', by: 'id' },
      typeSlug: { kind: 'objectType', by: 'slug' },
    },
  });
  expect(withOneName(specs).map(({ key, help, required, orSlug }) => [key, help, required, orSlug])).toEqual([
    ['agentId', undefined, true, { key: 'slug', help: 'Its slug', kind: 'agent' }],
    ['queueId', undefined, false, undefined],
    ['typeSlug', undefined, false, undefined],
  ]);
  const calls = inputSpecs({ id: 'call', type: 'runWorkflow' }, []);
  expect(calls?.map(({ key }) => key)).toEqual(['workflowId', 'input', 'wait']);
});
