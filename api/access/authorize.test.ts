import { expect, test } from '@jest/globals';
import type { Permission } from '../../domain/access/permission.ts';
import { authorize } from './authorize.ts';

const may = (permissions: Permission[] | undefined, ...has: Permission[]) =>
  authorize({ permissions }, { permissions: new Set(has) });

test('any of the listed permissions is enough; if none is listed, any credential is', () => {
  expect(() => may(['agents:read', 'agents:use'], 'agents:use')).not.toThrow();
  expect(() => may(['agents:read', 'agents:use'], 'agents:read', 'projects:read')).not.toThrow();
  expect(() => may(undefined)).not.toThrow();
});

test('without any of them the refusal names the missing permissions', () => {
  expect(() => may(['agents:read', 'agents:use'], 'agents:write')).toThrow('agents:read or agents:use is missing');
  expect(() => may(['projects:read'])).toThrow('The permission projects:read is missing');
});
