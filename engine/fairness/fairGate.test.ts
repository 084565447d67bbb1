import { expect, test } from '@jest/globals';
import { FairGate } from './fairGate.ts';

/** Releases the waiting calls. */
const settled = () => new Promise((go) => setImmediate(go));

/** Asks for entry in this order, then lets one leave after the other; answers the order of entries. */
async function orderOf(gate: FairGate, asked: string[]): Promise<string[]> {
  const entered: string[] = [];
  for (const name of asked) void gate.enter(name.charAt(0)).then(() => entered.push(name));
  await settled();
  for (let index = 0; index < asked.length; index++) {
    gate.leave(entered[index]?.charAt(0) ?? '');
    await settled();
  }
  return entered;
}

test('a late one of another key goes before a long line', async () => {
  expect(await orderOf(new FairGate(1), ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'])).toEqual([
    ...['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'],
  ]);
});

test('one key goes in the order of arrival', async () => {
  expect(await orderOf(new FairGate(4), ['a1', 'a2', 'a3', 'a4'])).toEqual(['a1', 'a2', 'a3', 'a4']);
});

test('enter returns whether the caller had to wait', async () => {
  const gate = new FairGate(1);
  const waited = [gate.enter('a'), gate.enter('a')];
  await settled();
  gate.leave('a');
  expect(await Promise.all(waited)).toEqual([false, true]);
});

test('one key leaves half of the places to other keys, which find one at once', async () => {
  const gate = new FairGate(4);
  const entered: string[] = [];
  const enter = (name: string) => void gate.enter(name.charAt(0)).then(() => entered.push(name));
  for (const name of ['a1', 'a2', 'a3', 'b1']) enter(name);
  await settled();
  expect(entered).toEqual(['a1', 'a2', 'b1']);
  gate.leave('b');
  await settled();
  expect(entered).toEqual(['a1', 'a2', 'b1']);
  gate.leave('a');
  await settled();
  expect(entered).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('no more than the most are inside, and all places come back', async () => {
  const gate = new FairGate(3);
  let inside = 0;
  let highest = 0;
  const visit = async (key: string) => {
    await gate.enter(key);
    inside += 1;
    highest = Math.max(highest, inside);
    await settled();
    inside -= 1;
    gate.leave(key);
  };
  for (let round = 0; round < 2; round++) {
    highest = 0;
    await Promise.all(Array.from({ length: 20 }, (_, index) => visit(`k${index % 4}`)));
    expect(highest).toBe(3);
  }
});

test('a caller that gives up leaves the line, and the others go on', async () => {
  const gate = new FairGate(1);
  const entered: string[] = [];
  await gate.enter('a');
  const leaving = new AbortController();
  const given = gate.enter('a', leaving.signal);
  const alone = gate.enter('b', leaving.signal);
  void gate.enter('a', new AbortController().signal).then(() => entered.push('a3'));
  void gate.enter('c').then(() => entered.push('c1'));
  const gone = Promise.allSettled([given, alone]);
  leaving.abort(new Error('gone'));
  expect((await gone).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(gate.enter('d', leaving.signal)).rejects.toThrow('gone');
  gate.leave('a');
  await settled();
  gate.leave('a');
  await settled();
  expect(entered).toEqual(['a3', 'c1']);
  // Giving up after its turn has come takes nothing away.
  gate.leave('c');
  const late = new AbortController();
  await gate.enter('e', late.signal);
  late.abort();
  gate.leave('e');
  expect(await gate.enter('f')).toBe(false);
});

test('once it is open nobody waits', async () => {
  const gate = new FairGate(1);
  const entered: string[] = [];
  for (const key of ['a', 'a', 'b']) void gate.enter(key).then(() => entered.push(key));
  await settled();
  expect(entered).toEqual(['a']);
  gate.open();
  await settled();
  expect(entered).toEqual(['a', 'a', 'b']);
  await gate.enter('c');
});
