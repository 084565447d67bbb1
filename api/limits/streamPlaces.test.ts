import { expect, test } from '@jest/globals';
import type { Caller } from '../access/caller.ts';
import { StreamPlaces } from './streamPlaces.ts';

const person = (userId: string, workspaceId = 'w'): Caller => ({
  kind: 'user',
  userId,
  sessionId: `session of ${userId}`,
  workspaceId,
  permissions: new Set(),
});

const config = { MAX_STREAMS_PER_CALLER: 2, MAX_STREAMS_PER_WORKSPACE: 3, API_PROCESSES: 1 };

test('limits the streams of a caller, and frees a place when one ends', () => {
  const places = new StreamPlaces(config);
  const leave = places.take(person('ann'));
  places.take(person('ann'));
  expect(() => places.take(person('ann'))).toThrow('At most 2 event streams may be open for this caller');
  leave();
  places.take(person('ann'));
});

test('limits the streams of a workspace; a refused stream takes no place', () => {
  const places = new StreamPlaces(config);
  const leave = places.take(person('ann'));
  places.take(person('ann'));
  places.take(person('bea'));
  expect(() => places.take(person('cid'))).toThrow('At most 3 event streams may be open for this workspace');
  places.take(person('ann', 'other'));
  leave();
  places.take(person('cid'));
});

test('gives each of several processes its part', () => {
  const places = new StreamPlaces({ ...config, API_PROCESSES: 2 });
  places.take(person('ann'));
  expect(() => places.take(person('ann'))).toThrow('At most 1 event streams');
});
