import { expect, test } from '@jest/globals';
import type { AppManifest } from '../../../../domain/app/manifest.ts';
import type { Definition, TriggerNode } from '../../../../domain/workflow/definition.ts';
import { placed } from './placedProblems.ts';
import { problemInForm } from './problemWords.ts';

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
