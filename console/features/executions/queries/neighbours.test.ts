import { expect, test } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import { neighbourOf } from './neighbours.ts';

const list = (...ids: string[]) => ({ rows: ids.map((id) => ({ id })), next: undefined });

test('the neighbours of an execution are those in the list that was read last, over its pages', () => {
  const queries = new QueryClient();
  const set = (filter: string, at: number, ...pages: object[]) =>
    queries.setQueryData(['listExecutions', { filter }], { pages, pageParams: [] }, { updatedAt: at });
  set('all', 1, list('x', 'b', 'y'));
  set('failed', 2, list('a', 'b'), list('c'));
  // A query under the same key without pages.
  queries.setQueryData(['listExecutions', 'recent'], [{ id: 'b' }], { updatedAt: 3 });
  expect(neighbourOf(queries, 'b', -1)).toBe('a');
  expect(neighbourOf(queries, 'b', 1)).toBe('c');
  expect(neighbourOf(queries, 'c', 1)).toBeUndefined();
  expect(neighbourOf(queries, 'a', -1)).toBeUndefined();
  expect(neighbourOf(queries, 'y', -1)).toBe('b');
  expect(neighbourOf(queries, 'z', 1)).toBeUndefined();
});
