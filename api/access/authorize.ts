import { Problem } from '../../domain/problem.ts';
import type { Route } from '../openapi.ts';
import type { Caller } from './caller.ts';

type Guarded = Pick<Route, 'permissions'>;
type Permitted = Pick<Caller, 'permissions'>;

/** Throws FORBIDDEN where the caller has none of the permissions that the operation lists. */
export function authorize(route: Guarded, caller: Permitted): void {
  if (mayCall(route, caller)) return;
  throw new Problem('FORBIDDEN', `The permission ${route.permissions?.join(' or ')} is missing`);
}

/** Whether the caller has one of the permissions that the operation lists, or it lists none. */
export function mayCall({ permissions }: Guarded, caller: Permitted): boolean {
  return permissions === undefined || permissions.some((permission) => caller.permissions.has(permission));
}

/** Throws FORBIDDEN for permissions that the caller lacks: a caller can give only its own permissions. */
export function refuseBeyond({ permissions: own }: Pick<Caller, 'permissions'>, permissions: readonly string[]): void {
  const beyond = permissions.filter((permission) => !(own as ReadonlySet<string>).has(permission));
  if (beyond.length === 0) return;
  throw new Problem('FORBIDDEN', `You cannot give permissions that you do not have: ${beyond.join(', ')}`);
}
