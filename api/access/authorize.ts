import { Problem } from '../../domain/problem.ts';
import type { Route } from '../openapi.ts';
import type { Caller } from '../operation.ts';

/** Throws FORBIDDEN where the caller has none of the permissions that the operation lists. */
export function authorize({ permissions }: Pick<Route, 'permissions'>, caller: Pick<Caller, 'permissions'>): void {
  if (permissions === undefined || permissions.some((permission) => caller.permissions.has(permission))) return;
  throw new Problem('FORBIDDEN', `The permission ${permissions.join(' or ')} is missing`);
}
