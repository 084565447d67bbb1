import { expect, test } from '@jest/globals';
import type { JsonObject } from '../json.ts';
import { changesOf } from './changesOf.ts';

const plain = (value: JsonObject) => ({ value, shown: value });
const between = (before: JsonObject, wanted: JsonObject) => changesOf(plain(before), plain(wanted));

test('members by their paths, absent ones as null, equal ones not at all', () => {
  expect(between({ a: 1, b: { c: [1], d: null } }, { b: { c: [1, 2] }, e: 'x', 'f g': 2 })).toEqual([
    { path: 'a', from: 1, to: null },
    { path: 'b.c', from: [1], to: [1, 2] },
    { path: 'e', from: null, to: 'x' },
    { path: '["f g"]', from: null, to: 2 },
  ]);
  expect(between({ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } })).toEqual([]);
});

test('nodes by their ids: added, removed, changed, and in another order', () => {
  const node = (id: string, url: string) => ({ id, type: 'action', inputs: { url } });
  const before = { nodes: [node('a', '1'), node('b', '2'), node('c', '3')] };
  expect(between(before, { nodes: [node('d', '4'), node('a', '1'), node('c', '5')] })).toEqual([
    { path: 'nodes.b', from: node('b', '2'), to: null },
    { path: 'nodes.c.inputs.url', from: '3', to: '5' },
    { path: 'nodes.d', from: null, to: node('d', '4') },
  ]);
  expect(between(before, { nodes: [node('b', '2'), node('a', '1'), node('c', '3')] })).toEqual([
    { path: 'nodes', from: ['a', 'b', 'c'], to: ['b', 'a', 'c'] },
  ]);
});

test('fields by key, actions by their names, other lists as a whole', () => {
  expect(between({ f: [{ key: 'a', label: 'A' }] }, { f: [{ key: 'a', label: 'B' }] })).toEqual([
    { path: 'f.a.label', from: 'A', to: 'B' },
  ]);
  const tool = (policy: string) => ({ tools: [{ appId: 'core', actionId: 'set', policy }] });
  expect(between(tool('auto'), tool('deny'))).toEqual([{ path: 'tools["core.set"].policy', from: 'auto', to: 'deny' }]);
  expect(between({ l: ['a', 'b'] }, { l: ['b', 'a'] })).toEqual([{ path: 'l', from: ['a', 'b'], to: ['b', 'a'] }]);
});

test('only the mask of a changed secret is shown', () => {
  const of = (secret: string) => ({ value: { config: { secret } }, shown: { config: { secret: '********' } } });
  expect(changesOf(of('one'), of('two'))).toEqual([{ path: 'config.secret', from: '********', to: '********' }]);
  expect(changesOf(of('one'), of('one'))).toEqual([]);
  const whole = (value: JsonObject) => ({ value: { value }, shown: { value: '********' } });
  expect(changesOf(whole({ a: 1 }), whole({ a: 2 }))).toEqual([{ path: 'value', from: '********', to: '********' }]);
});
