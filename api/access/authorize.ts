import { Problem } from '../../domain/problem.ts';
import type { Route } from '../openapi.ts';
import type { Caller } from './caller.ts';

type Guarded = Pick<Route, 'permissions'>;
type Permitted = Pick<Caller, 'permissions'>;

export function authorize(route: Guarded, caller: Permitted): void {
  if (mayCall(route, caller)) return;
  throw new Problem('FORBIDDEN', `The permission ${route.permissions?.join(' or ')} is missing`);
}

export function mayCall({ permissions }: Guarded, caller: Permitted): boolean {
  return permissions === undefined || permissions.some((permission) => caller.permissions.has(permission));
}

/** A caller can grant only its own permissions. Throws FORBIDDEN. */
export function refuseBeyond({ permissions: own }: Pick<Caller, 'permissions'>, permissions: readonly string[]): void {
  const beyond = permissions.filter((permission) => !(own as ReadonlySet<string>).has(permission));
  if (beyond.length === 0) return;
  throw new Problem('FORBIDDEN', `You cannot give permissions that you do not have: ${beyond.join(', ')}`);
}
