import type { BundleKind } from '../../domain/bundle/bundle.ts';
import { Problem } from '../../domain/problem.ts';
import type { Database } from '../client.ts';
import { Prisma } from '../generated/client.ts';
import { rowsOf } from '../rowsOf.ts';

export type UsedKind = 'workflow' | 'agent' | 'connection' | 'objectType' | 'project' | 'app';

export interface Usable {
  kind: UsedKind | BundleKind;
  id: string;
}

/** A user of a resource. Entities and documents are only counted. */
export type User = { type: string; id: string; name: string } | { type: string; count: number };

/** A definition that is about to be stored, with its references (namedBy). */
export interface ComingUser {
  type: string;
  id: string;
  name: string;
  projectId: string;
  named: readonly string[];
}

export const MAX_NAMED = 100;

export async function usersOf(database: Database, workspaceId: string, resource: Usable): Promise<User[]> {
  return (await usersOfAll(database, workspaceId, [resource])).get(usableKey(resource)) ?? [];
}

/** Returns users by `usableKey`, without these resources themselves. `instead` replaces stored definitions. */
export async function usersOfAll(
  database: Database,
  workspaceId: string,
  resources: readonly Usable[],
  instead: readonly ComingUser[] = [],
): Promise<Map<string, User[]>> {
  const gone = resources.map(usableKey);
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

/** Returns whether another resource uses one of them, and locks them until the end of the transaction. */
export async function areUsed(database: Database, workspaceId: string, resources: readonly Usable[]): Promise<boolean> {
  const [row] = await rowsOf<{ used: boolean }>(
    database,
    Prisma.sql`SELECT are_used(${workspaceId}::uuid, ${resources.map(usableKey)}::text[]) AS used`,
  );
  return row?.used === true;
}

export function usableKey({ kind, id }: Usable): string {
  return `${kind}/${id.toLowerCase()}`;
}

export function inUse({ noun }: { noun: string }, users: readonly User[]): Problem {
  const first = users
    .slice(0, 3)
    .map((user) => ('count' in user ? `${user.count} of type ${user.type}` : `${user.type} ${user.name}`));
  const more = users.length > first.length ? ` and ${users.length - first.length} more` : '';
  return new Problem('IN_USE', `The ${noun} is in use: ${first.join(', ')}${more}`, {
    members: { usedBy: users.slice(0, MAX_NAMED), usedByTotal: users.length },
  });
}
