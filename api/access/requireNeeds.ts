import { missingNeeds, type Need } from '../../domain/access/stepPermissions.ts';
import { Problem } from '../../domain/problem.ts';
import type { Caller } from './caller.ts';

/** Throws FORBIDDEN with the place of each missing permission. Call it before any lookup, which could reveal ids. */
export function requireNeeds(
  caller: Pick<Caller, 'permissions'>,
  needs: readonly Need[],
  placeOf: (path: string) => string = (path) => path,
): void {
  const missing = missingNeeds(needs, caller.permissions);
  if (missing.length === 0) return;
  const names = [...new Set(missing.map(({ permission }) => permission))];
  const errors = missing.map(({ path, message, nodeId }) => {
    return { path: placeOf(path), message, ...(nodeId === undefined ? {} : { nodeId }) };
  });
  const detail =
    names.length === 1 ? `The permission ${names[0]} is missing` : `Permissions are missing: ${names.join(', ')}`;
  throw new Problem('FORBIDDEN', detail, { errors });
}
