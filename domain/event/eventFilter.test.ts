import { expect, test } from '@jest/globals';
import { readEventFilter, shownEventFilter } from './eventFilter.ts';

const ID = '01935B1E-7C00-7C4F-8D6A-0A1B2C3D4E5F';

test('a filter is parsed like those of lists, and shown as written', () => {
  const text = `workflowId:${ID},projectId:${ID}`;
  expect(readEventFilter(text, ['execution.failed'])).toEqual({
    workflowId: ID.toLowerCase(),
    projectId: ID.toLowerCase(),
  });
  const slug = readEventFilter('objectTypeSlug:a%2Cb:c', ['object.changed', 'execution.failed']);
  expect(slug).toEqual({ objectTypeSlug: 'a,b:c' });
  expect(shownEventFilter(slug as Record<string, string>)).toBe('objectTypeSlug:a%2Cb:c');
  expect([readEventFilter('', ['object.changed']), shownEventFilter({})]).toEqual([{}, null]);
});

test.each([
  ['status:FAILED', ['execution.failed'], '"status" is not one of workflowId, projectId'],
  ['workflowId', ['execution.failed'], 'workflowId: expected an id'],
  ['workflowId:x', ['execution.failed'], 'workflowId: expected an id'],
  ['objectTypeSlug:', ['object.changed'], 'objectTypeSlug: expected a slug'],
  [`projectId:${ID},projectId:${ID}`, ['execution.failed'], 'projectId is given twice'],
  [`queueId:${ID}`, ['execution.failed'], 'queueId: only queueItem.failed has it'],
])('%s for %s is refused', (text, events, problem) => {
  expect(readEventFilter(text, events)).toEqual({ problem: expect.stringContaining(problem) });
});
