import type { BundleKind } from '../../domain/bundle/bundle.ts';
import { Problem } from '../../domain/problem.ts';
import type { Database } from '../client.ts';
import { Prisma } from '../generated/client.ts';
import { rowsOf } from '../rowsOf.ts';

/** The kinds of resources that are deleted only while nothing uses them. */
export type UsedKind = 'workflow' | 'agent' | 'connection' | 'objectType' | 'project';

/** A resource that may be used, for the functions users_of and are_used. */
export interface Usable {
  kind: UsedKind | BundleKind;
  id: string;
}

/** A user of a resource; for entities and documents only their number. */
export type User = { type: string; id: string; name: string } | { type: string; count: number };

/** A definition as it will be. `named` as namedBy has it. */
export interface ComingUser {
  type: string;
  id: string;
  name: string;
  projectId: string;
  named: readonly string[];
}

/** Users that a problem or an answer names; it counts the others. */
export const MAX_NAMED = 100;

/** Returns the users of the resource, by the same statement as its deletion. */
export async function usersOf(database: Database, workspaceId: string, resource: Usable): Promise<User[]> {
  return (await usersOfAll(database, workspaceId, [resource])).get(usableKey(resource)) ?? [];
}

/**
 * Who uses each of the resources that would go together, by `usableKey`; none of them counts. `instead` are definitions
 * that come in the place of the stored ones.
 */
export async function usersOfAll(
  database: Database,
  workspaceId: string,
  resources: readonly Usable[],
  instead: readonly ComingUser[] = [],
): Promise<Map<string, User[]>> {
  const gone = resources.map(usableKey);
  // Raw: a function.
  const rows = await rowsOf<{ used: string; type: string; id: string | null; name: string | null; count: number }>(
    database,
    Prisma.sql`SELECT used, type, id, name, count::float8 AS count
      FROM users_of(${workspaceId}::uuid, ${gone}::text[], ${JSON.stringify(instead)}::jsonb)`,
  );
  const users = new Map<string, User[]>();
  for (const { used, type, id, name, count } of rows) {
    const user = id === null ? { type, count } : { type, id, name: name ?? '' };
    users.set(used, [...(users.get(used) ?? []), user]);
  }
  return users;
}

/** Whether anything else uses one of them; they are locked until the end of the transaction. */
export async function areUsed(database: Database, workspaceId: string, resources: readonly Usable[]): Promise<boolean> {
  // Raw: a function.
  const [row] = await rowsOf<{ used: boolean }>(
    database,
    Prisma.sql`SELECT are_used(${workspaceId}::uuid, ${resources.map(usableKey)}::text[]) AS used`,
  );
  return row?.used === true;
}

export function usableKey({ kind, id }: Usable): string {
  return `${kind}/${id.toLowerCase()}`;
}

/** IN_USE with the users. */
export function inUse({ noun }: { noun: string }, users: readonly User[]): Problem {
  const first = users
    .slice(0, 3)
    .map((user) => ('count' in user ? `${user.count} of type ${user.type}` : `${user.type} ${user.name}`));
  const more = users.length > first.length ? ` and ${users.length - first.length} more` : '';
  return new Problem('IN_USE', `The ${noun} is in use: ${first.join(', ')}${more}`, {
    members: { usedBy: users.slice(0, MAX_NAMED), usedByTotal: users.length },
  });
}
