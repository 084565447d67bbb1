import { expect, test } from '@jest/globals';
import { RecentEvents } from './recentEvents.ts';
import { RecentTexts } from './recentTexts.ts';

const news = (name: string) => ({ name, data: {}, maySee: () => true });
const namesOf = (events: { text: string }[] | undefined) => events?.map(({ text }) => /event: (.*)/.exec(text)?.[1]);

test('events after an id are known while all of them are kept', () => {
  const recent = new RecentEvents(3);
  const start = recent.place;
  recent.add([news('a'), news('b')]);
  const between = recent.place;
  recent.leaveOut();
  expect(namesOf(recent.after(start))).toEqual(['a', 'b', 'resync']);
  expect(namesOf(recent.after(between))).toEqual(['resync']);
  expect(recent.after(recent.place)).toEqual([]);
  recent.add([news('c')]);
  expect(recent.after(start)).toBeUndefined();
  expect(namesOf(recent.after(between))).toEqual(['resync', 'c']);
});

test('ids of other lists, future places and invalid ids are unknown', () => {
  const recent = new RecentEvents(3);
  recent.add([news('a')]);
  const name = recent.place.split('.')[0];
  for (const id of [new RecentEvents(3).place, `${name}.2`, `${name}.-1`, `${name}.`, `${name}.1e0`, '', '1']) {
    expect([id, recent.after(id)]).toEqual([id, undefined]);
  }
});

test('forgets a text some time after its last use, and the oldest ones if there are many', () => {
  const recently = new RecentTexts(100, 3);
  for (const [text, at] of [
    ['a', 0],
    ['b', 10],
    ['a', 50],
    ['c', 115],
  ] as const)
    recently.set(text, true, at);
  expect(['a', 'b', 'c'].map((text) => recently.get(text))).toEqual([true, undefined, true]);
  for (const text of ['d', 'e']) recently.set(text, true, 116);
  expect(['a', 'c', 'd', 'e'].map((text) => recently.get(text))).toEqual([undefined, true, true, true]);
});
