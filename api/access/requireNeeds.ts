import { missingNeeds, type Need } from '../../domain/access/stepPermissions.ts';
import { Problem } from '../../domain/problem.ts';
import type { Caller } from './caller.ts';

/**
 * Throws FORBIDDEN where the caller lacks a permission of what it wants to run or store; `errors` name each with its place
 * in the request. Asked before any look-up by an id that the steps name, so that a refusal tells nothing of the workspace.
 */
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
