import { expect, test } from '@jest/globals';
import type { Definition, Node } from '../../../../domain/workflow/definition.ts';
import { KEPT_MS } from '../../../app/storage/browserStorage.ts';
import {
  dropOldSamples,
  followed,
  MAX_OF_ALL,
  MAX_OF_ONE,
  type NodeSample,
  readSamples,
  refusalOf,
  samplesKey,
  samplesOf,
  withoutSecrets,
  withSample,
  writeSamples,
} from './keptSamples.ts';

const NOW = Date.now();
const set = (id: string): Node => ({ id, type: 'action', appId: 'core', actionId: 'set' });
const wait = (id: string): Node => ({ id, type: 'delay', inputs: { forMs: 1 } });
const of = (id: string, value: NodeSample['value'] = id): NodeSample => ({ id, value, at: NOW });

function storage(texts: Record<string, string> = {}) {
  const kept = new Map(Object.entries(texts));
  return {
    ...{ getItem: (key: string) => kept.get(key) ?? null, key: (at: number) => [...kept.keys()][at] ?? null },
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
    get length() {
      return kept.size;
    },
  };
}

test('a sample goes with its node to another id, and with it away; undo brings both back', () => {
  const rows = [of('trigger'), of('a'), of('b')];
  const [a, b, c] = [set('a'), wait('b'), set('c')];
  const gone = new WeakMap<Node, NodeSample>();
  expect(followed(rows, [a, b], [a, b], gone)).toBe(rows);
  // Edited nodes: new objects with the same ids.
  expect(followed(rows, [a, b], [{ ...a }, b], gone)).toBe(rows);
  const renamed = followed(rows, [a, b], [c, b], gone);
  expect(renamed).toEqual([of('trigger'), of('c', 'a'), of('b')]);
  expect(followed(renamed, [c, b], [a, b], gone)).toEqual(rows);
  const without = followed(rows, [a, b], [a], gone);
  expect(without).toEqual([of('trigger'), of('a')]);
  expect(followed(without, [a], [a, b], gone)).toEqual(rows);
});

test('another node that takes the id of one that is gone has no sample, nor has one of another kind in its place', () => {
  const gone = new WeakMap<Node, NodeSample>();
  const without = followed([of('a')], [set('a')], [], gone);
  expect(followed(without, [], [set('a')], gone)).toEqual([]);
  expect(followed([of('a')], [set('a')], [wait('b')], gone)).toEqual([]);
  // Two renamed nodes at once are ambiguous.
  expect(followed([of('a')], [set('a'), set('b')], [set('c'), set('d')], gone)).toEqual([]);
});

test('a sample of a node that is not there is not in force, and stays for a draft that has it', () => {
  const rows = [of('trigger', 1), of('a', null), of('of a draft')];
  expect(samplesOf(rows, [set('a')])).toEqual({ trigger: 1, a: null });
  expect(followed(rows, [set('a')], [set('a'), wait('b')], new WeakMap())).toBe(rows);
});

test('samples are read for as long as a draft is; a text of something else is none', () => {
  const old = { ...of('old'), at: NOW - KEPT_MS - 60_000 };
  expect(readSamples(JSON.stringify([of('a'), old, { id: 'b', at: NOW }, 7]))).toEqual([of('a')]);
  expect(readSamples('{')).toEqual([]);
  const key = samplesKey('u', 'w', 'f');
  const texts = storage({ [key]: JSON.stringify([old]), other: '[]' });
  dropOldSamples(texts);
  expect([texts.getItem(key), texts.getItem('other')]).toEqual([null, '[]']);
});

test('one sample and all of the browser have a bound; what is replaced does not count', () => {
  const key = samplesKey('u', 'w', 'f');
  const large = of('a', 'x'.repeat(MAX_OF_ONE - 2));
  const tooLarge = of('a', 'x'.repeat(MAX_OF_ONE - 1));
  const texts = storage();
  expect(refusalOf(texts, key, [tooLarge], tooLarge)).toEqual({
    ...{ of: 'one', length: MAX_OF_ONE + 1, most: MAX_OF_ONE },
  });
  let rows: NodeSample[] = [];
  for (const id of ['a', 'b', 'c', 'd']) rows = withSample(rows, { ...large, id });
  expect(refusalOf(texts, key, rows, large)).toBeUndefined();
  writeSamples(texts, key, rows);
  expect(refusalOf(texts, key, rows, large)).toBeUndefined();
  // Other workflows and people share the storage of the browser.
  expect(refusalOf(texts, samplesKey('u', 'w', 'g'), [large], large)).toMatchObject({ of: 'all', most: MAX_OF_ALL });
});

test('a value in a field for a secret is masked', () => {
  const fields = [
    { key: 'name', label: 'Name', type: 'text' },
    { key: 'pin', label: 'Pin', type: 'secret' },
  ];
  const definition = {
    trigger: { id: 'trigger', type: 'manual', config: { fields } },
    nodes: [{ id: 'ask', type: 'input', inputs: { fields } }, set('a')],
    edges: [],
  } as unknown as Definition;
  const given = { name: 'Ada', pin: '1234' };
  for (const id of ['trigger', 'ask']) {
    expect(withoutSecrets(given, id, definition)).toEqual({ name: 'Ada', pin: '***' });
  }
  expect(withoutSecrets(given, 'a', definition)).toBe(given);
  expect(withoutSecrets(['1234'], 'trigger', definition)).toEqual(['1234']);
});
