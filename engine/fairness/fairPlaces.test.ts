import { expect, test } from '@jest/globals';
import { FairPlaces } from './fairPlaces.ts';

const settled = () => new Promise((go) => setImmediate(go));

async function entering(places: FairPlaces, key: string, signal?: AbortSignal): Promise<boolean> {
  return places.enter(key, signal);
}

async function orderOf(places: FairPlaces, asked: string[]): Promise<string[]> {
  const entered: string[] = [];
  for (const name of asked) void entering(places, name.charAt(0)).then(() => entered.push(name));
  await settled();
  for (let index = 0; index < asked.length; index++) {
    places.leave(entered[index]?.charAt(0) ?? '');
    await settled();
  }
  return entered;
}

test('a late one of another key goes before a long line', async () => {
  expect(await orderOf(new FairPlaces(1), ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'])).toEqual([
    ...['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'],
  ]);
});

test('one key goes in the order of arrival', async () => {
  expect(await orderOf(new FairPlaces(4), ['a1', 'a2', 'a3', 'a4'])).toEqual(['a1', 'a2', 'a3', 'a4']);
});

test('a caller that finds no place at once waits for one', async () => {
  const places = new FairPlaces(1);
  expect([places.tryEnter('a'), places.tryEnter('a')]).toEqual([true, false]);
  const waiting = places.enter('a');
  await settled();
  places.leave('a');
  expect(await waiting).toBe(true);
});

test('one key leaves half of the places to other keys, which find one at once', async () => {
  const places = new FairPlaces(4);
  const entered: string[] = [];
  const enter = (name: string) => void entering(places, name.charAt(0)).then(() => entered.push(name));
  for (const name of ['a1', 'a2', 'a3', 'b1']) enter(name);
  await settled();
  expect(entered).toEqual(['a1', 'a2', 'b1']);
  places.leave('b');
  await settled();
  expect(entered).toEqual(['a1', 'a2', 'b1']);
  places.leave('a');
  await settled();
  expect(entered).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('no more than the most are inside, and all places come back', async () => {
  const places = new FairPlaces(3);
  let inside = 0;
  let highest = 0;
  const visit = async (key: string) => {
    await places.enter(key);
    inside += 1;
    highest = Math.max(highest, inside);
    await settled();
    inside -= 1;
    places.leave(key);
  };
  for (let round = 0; round < 2; round++) {
    highest = 0;
    await Promise.all(Array.from({ length: 20 }, (_, index) => visit(`k${index % 4}`)));
    expect(highest).toBe(3);
  }
});

test('a caller that gives up leaves the line, and the others continue', async () => {
  const places = new FairPlaces(1);
  const entered: string[] = [];
  await places.enter('a');
  const leaving = new AbortController();
  const given = places.enter('a', leaving.signal);
  const alone = places.enter('b', leaving.signal);
  void entering(places, 'a', new AbortController().signal).then(() => entered.push('a3'));
  void entering(places, 'c').then(() => entered.push('c1'));
  const gone = Promise.all([given, alone]);
  leaving.abort();
  expect(await gone).toEqual([false, false]);
  expect(await places.enter('d', leaving.signal)).toBe(false);
  places.leave('a');
  await settled();
  places.leave('a');
  await settled();
  expect(entered).toEqual(['a3', 'c1']);
  // Giving up after its turn has come takes nothing away.
  places.leave('c');
  const late = new AbortController();
  await places.enter('e', late.signal);
  late.abort();
  places.leave('e');
  expect(places.tryEnter('f')).toBe(true);
});

test('once it is open nobody waits', async () => {
  const places = new FairPlaces(1);
  const entered: string[] = [];
  for (const key of ['a', 'a', 'b']) void entering(places, key).then(() => entered.push(key));
  await settled();
  expect(entered).toEqual(['a']);
  places.open();
  await settled();
  expect(entered).toEqual(['a', 'a', 'b']);
  await places.enter('c');
});

function takenBy(places: FairPlaces, key: string): number {
  while (places.tryEnter(key));
  return places.held(key);
}

test('the first workspace takes half, each next one half of the rest, and the last finds none', () => {
  const places = new FairPlaces(200);
  expect(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((key) => takenBy(places, key))).toEqual([
    100, 50, 25, 13, 6, 3, 2, 1, 0,
  ]);
});

test('any number of places has one for the first', () => {
  expect([1, 2, 3].map((count) => takenBy(new FairPlaces(count), 'a'))).toEqual([1, 1, 2]);
});

test('a returned place is free', () => {
  const places = new FairPlaces(2);
  expect(['a', 'b', 'a', 'c'].map((key) => places.tryEnter(key))).toEqual([true, true, false, false]);
  places.leave('b');
  expect([places.held('b'), places.tryEnter('c')]).toEqual([0, true]);
});
