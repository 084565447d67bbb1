import { expect, test } from '@jest/globals';
import { affectedCases } from './affectedCases.ts';
import type { ReadSuite } from './caseFiles.ts';

const ORDER = { kind: 'workflow', slug: 'order', nodes: [{ id: 'a', type: 'runWorkflow', inputs: { slug: 'pay' } }] };
const PAY = { kind: 'workflow', slug: 'pay', nodes: [], onFailureWorkflowId: '@workflow/alarm' };
const ALARM = { kind: 'workflow', slug: 'alarm', nodes: [] };
const ALONE = { kind: 'workflow', slug: 'alone', nodes: [] };
const LIMIT = { kind: 'variable', slug: 'LIMIT', value: 1 };
const ALL = [ORDER, PAY, ALARM, ALONE, LIMIT];

function suite(resources: object[], inputs: Record<string, number> = {}): ReadSuite {
  const cases = ['order', 'pay', 'alarm', 'alone'].map((workflow) => ({
    ...{ workflow, file: `tests/${workflow}.yaml`, index: 0 },
    case: { name: 'one', input: inputs[workflow] ?? 0, expect: {} },
  }));
  return { folder: '.', resources, files: [], cases } as unknown as ReadSuite;
}

const affected = (after: ReadSuite, before = suite(ALL)) =>
  affectedCases(before, after).map(({ workflow }) => workflow);
const changed = (slug: string) => ALL.map((each) => (each.slug === slug ? { ...each, description: 'new' } : each));

test.each([
  ['alarm', ['order', 'pay', 'alarm']],
  ['pay', ['order', 'pay']],
  ['order', ['order']],
  ['LIMIT', ['order', 'pay', 'alarm', 'alone']],
])('a change of %s affects the cases of %j', (slug, workflows) => {
  expect(affected(suite(changed(slug)))).toEqual(workflows);
});

test('a changed case is affected, as are callers of a deleted workflow; without a change none is', () => {
  expect(affected(suite(ALL))).toEqual([]);
  expect(affected(suite(ALL, { alone: 1 }))).toEqual(['alone']);
  expect(affected(suite(ALL.filter(({ slug }) => slug !== 'pay')))).toEqual(['order', 'pay']);
});
