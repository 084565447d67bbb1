import { expect, test } from '@jest/globals';
import { type QueueGrant, queueRefusal } from './workerQueues.ts';

const OURS = '3b241101-e2bb-4255-8caf-4136c566a962';
const THEIRS = '9d2e6c1a-0c4c-4f0a-8d5c-6f2f0e7f5a10';

function refusal(taskQueue: string, grants?: QueueGrant[], isOnlyWorkspace = false) {
  return queueRefusal(taskQueue, { grants, ownQueue: 'perdure' }, { workspaceId: OURS, isOnlyWorkspace });
}

test('without the setting any queue is free for the only workspace, and none for one of several', () => {
  expect(refusal('payments', undefined, true)).toBeUndefined();
  expect(refusal('payments')).toContain('WORKER_TASK_QUEUES');
});

test.each([
  ['payments', 'payments', true],
  ['payments', 'payments-eu', false],
  ['acme-*', 'acme-payments', true],
  ['acme-*', 'other-acme-payments', false],
  ['*-eu', 'payments-eu', true],
  ['a*a', 'a', false],
  ['a*b*c', 'a-b-c', true],
  ['a*b*c', 'a-c', false],
  ['a*bc*c', 'abc', false],
  ['*', 'anything', true],
  ['a.c', 'abc', false],
])('the pattern %s and the queue %s', (pattern, taskQueue, isGranted) => {
  expect(refusal(taskQueue, [{ pattern }]) === undefined).toBe(isGranted);
});

test('a pattern of one workspace gives nothing to another', () => {
  expect(refusal('payments', [{ pattern: '*', workspaceId: THEIRS }])).toContain('payments');
  expect(refusal('payments', [{ pattern: '*', workspaceId: OURS.toUpperCase() }])).toBeUndefined();
});

test.each(['perdure', 'perdure-overflow', 'temporal-sys-processor', '/_sys/x', ''])(
  'the queue "%s" is never free',
  (taskQueue) => {
    expect(refusal(taskQueue, [{ pattern: '*' }], true)).toBeDefined();
  },
);
