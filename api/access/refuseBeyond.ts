import { Problem } from '../../domain/problem.ts';
import type { Caller } from '../operation.ts';

/** Throws FORBIDDEN for permissions that the caller lacks: nobody gives what they do not have. */
export function refuseBeyond({ permissions: own }: Pick<Caller, 'permissions'>, permissions: readonly string[]): void {
  const beyond = permissions.filter((permission) => !(own as ReadonlySet<string>).has(permission));
  if (beyond.length === 0) return;
  throw new Problem('FORBIDDEN', `You cannot give permissions that you do not have: ${beyond.join(', ')}`);
}
