import { describe, expect, test } from '@jest/globals';
import { changeTo, readViews, type SavedView, viewOf, viewsKey, withView, writeViews } from './savedViews.ts';

const FAILED: SavedView = { name: 'Failed', filters: { status: 'FAILED', since: '24h' } };
const HELD: SavedView = { name: 'Held', filters: { held: 'true' } };

function storage() {
  const texts = new Map<string, string>();
  return {
    texts,
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
    removeItem: (key: string) => void texts.delete(key),
    key: (at: number) => [...texts.keys()][at] ?? null,
    get length() {
      return texts.size;
    },
  };
}

describe('saved views', () => {
  test('are kept by name, each person and workspace and list for itself', () => {
    const texts = storage();
    const key = viewsKey('ann', 'acme', 'executions');
    writeViews(texts, key, [HELD, FAILED]);
    expect(readViews(texts.getItem(key))).toEqual([FAILED, HELD]);
    expect(readViews(texts.getItem(viewsKey('bob', 'acme', 'executions')))).toEqual([]);
    expect(readViews(texts.getItem(viewsKey('ann', 'other', 'executions')))).toEqual([]);
    writeViews(texts, key, []);
    expect(texts.texts.size).toBe(0);
  });

  test('that something else has written are left out', () => {
    expect(readViews('no JSON')).toEqual([]);
    expect(readViews('{"name": "Failed"}')).toEqual([]);
    expect(readViews(JSON.stringify([FAILED, { name: 'Bad', filters: { page: 1 } }, null, { name: 7 }]))).toEqual([
      FAILED,
    ]);
  });

  test('of one name are one: the newer', () => {
    const newer = { name: 'Failed', filters: { status: 'FAILED' } };
    expect(withView([FAILED, HELD], newer)).toEqual([HELD, newer]);
  });

  test('are found by their filters in any order, without those that are empty', () => {
    expect(viewOf([FAILED, HELD], { since: '24h', status: 'FAILED', q: '' })).toBe(FAILED);
    expect(viewOf([FAILED, HELD], { status: 'FAILED' })).toBeUndefined();
    expect(viewOf([FAILED, HELD], {})).toBeUndefined();
  });

  test('leave no other filter in the address', () => {
    expect(changeTo({ q: 'x', status: 'RUNNING' }, FAILED)).toEqual({ q: undefined, status: 'FAILED', since: '24h' });
  });
});
