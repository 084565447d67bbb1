import { expect, test } from '@jest/globals';
import type { AppManifest } from '../../../../domain/app/manifest.ts';
import type { Definition, TriggerNode } from '../../../../domain/workflow/definition.ts';
import { node, problemsOf } from '../../../../domain/workflow/graphs.fixture.ts';
import { durationProblem, placed, problemInForm } from './placedProblems.ts';

const definition: Definition = {
  trigger: { id: 'trigger', type: 'queue', config: {} } as unknown as TriggerNode,
  nodes: [
    { id: 'ask', type: 'input', name: 'Ask', inputs: { fields: [] } },
    { id: 'wait', type: 'delay', name: 'Wait' },
    { id: 'price', type: 'runWorkflow', name: 'Its price' },
    { id: 'way', type: 'switch', name: 'Which way' },
  ],
  edges: [],
};
const NO_APPS: AppManifest[] = [];

test.each([
  ['nodes[3].inputs.cases', 'expected at least one case', 'Which way: Cases', 'Add at least one.', true],
  ['nodes[0].inputs.fields', 'required: expected a list of fields', 'Ask: Form fields', 'This is needed.', true],
  [
    ...['nodes[0].inputs.fields[5].options', 'required for select: expected a list of {value, label}'],
    ...['Ask: Form fields 6, Options', 'This is needed.', true],
  ],
  [
    ...['nodes[1].inputs', 'expected exactly one of forMs, until, got none', 'Wait'],
    ...['Fill in one of these: For, Until.', true],
  ],
  [
    ...['nodes[1].inputs', 'expected exactly one of forMs, until, got forMs, until', 'Wait'],
    ...['Fill in only one of these: For, Until.', false],
  ],
  [
    ...['nodes[2].inputs', 'expected exactly one of workflowId, slug, got none', 'Its price'],
    ...['Choose one, or write its slug.', true],
  ],
  ['nodes[1].inputs', 'Choose one, or write its slug.', 'Wait', 'Choose one, or write its slug.', true],
  ['nodes[1].retry.maximumAttempts', 'expected a number', 'Wait: Attempts', 'expected a number', false],
  ['nodes[1].inputs.more', 'no such member', 'Wait: inputs.more', 'no such member', false],
  [
    ...['trigger.config.queueId', 'required: the id of the queue whose items start the workflow'],
    ...['Trigger: Queue', 'This is needed.', true],
  ],
  ['slug', 'This is needed.', 'Workflow: Slug', 'This is needed.', true],
] as const)('%s: %s', (path, message, place, said, isLack) => {
  const [problem] = placed([{ path, message }], definition);
  expect(problem?.isLack).toBe(isLack);
  expect(problem && problemInForm(problem, definition, NO_APPS)).toEqual({ place, message: said });
});

const delay = (forMs: number) => ({ id: 'd', type: 'delay', inputs: { forMs } });
const schedule = (config: object) => ({ nodes: [], edges: [], trigger: { type: 'schedule', config } });

test('problems of times say what a field for them takes, with the bounds as people write times', () => {
  const definitions = [
    { nodes: [node('a', { timeoutMs: 0 })], edges: [] },
    { nodes: [delay(400_000_000_000)], edges: [] },
    schedule({ everyMs: 500 }),
    schedule({ everyMs: 60_000, jitterMs: 90_000_000 }),
  ];
  const messages = definitions.flatMap(problemsOf);
  expect(messages).toHaveLength(definitions.length);
  expect(messages.filter((each) => !each.includes('milliseconds'))).toEqual([]);
  expect(messages.map((each) => durationProblem(each.replace(/^[^:]*: /, '')))).toEqual([
    'expected a time from 1 ms to 365 d, got 0 s',
    'expected a time from 0 s to 3650 d',
    'expected a time from 1 s to 366 d, got 500 ms',
    'expected a time from 0 s to 1 d, got 1 d 1 h',
  ]);
});

test('other problems stay as they are', () => {
  for (const message of ['required', 'expected a number from 1 to 100, got 500', 'expected text, got a number']) {
    expect(durationProblem(message)).toBe(message);
  }
});
