import { expect, test } from '@jest/globals';
import type { Permission } from '../api/me.ts';
import { mayOpen } from './places.ts';

test('a page opens for those alone who have the permission that it needs, and the making of one for those who may write', () => {
  const reader: Permission[] = ['workflows:read', 'executions:read'];
  const opened = (permissions: readonly Permission[], ...paths: string[]) =>
    paths.filter((path) => mayOpen(path, permissions));
  const paths = [
    '/workflows',
    '/workflows/new',
    '/templates',
    '/workflows/4711/edit',
    '/settings/people',
    '/settings/account',
  ];
  expect(opened(reader, ...paths)).toEqual(['/workflows', '/workflows/4711/edit', '/settings/account']);
  expect(opened([...reader, 'workflows:write'], ...paths)).toEqual(
    expect.arrayContaining(['/workflows/new', '/templates']),
  );
  expect(opened(['agents:use'], ...paths, '/agents/4711')).toEqual(['/settings/account', '/agents/4711']);
});
