import { Problem } from '../../domain/problem.ts';
import type { Database } from '../client.ts';

/** The kinds of resources that are deleted only while nothing uses them: an argument of the function users_of. */
export type UsedKind = 'workflow' | 'agent' | 'connection' | 'objectType' | 'project';

/** A user of a resource; of entities their number alone. */
export type User = { type: string; id: string; name: string } | { type: string; count: number };

/** Users that a problem names; it counts the others. */
const MOST_NAMED = 100;

/** Who uses the resource, from the statement that its deletion asks. */
export async function usersOf(database: Database, workspaceId: string, kind: UsedKind, id: string): Promise<User[]> {
  // Raw: a function.
  const rows = await database.$queryRaw<
    { type: string; id: string | null; name: string | null; count: number | null }[]
  >`
    SELECT type, id::text, name, count::float8 AS count FROM users_of(${kind}, ${workspaceId}::uuid, ${id}::uuid)`;
  return rows.map(({ type, id: user, name, count }) =>
    user === null ? { type, count: count ?? 0 } : { type, id: user, name: name ?? '' },
  );
}

/** IN_USE with the users. */
export function inUse({ noun }: { noun: string }, users: readonly User[]): Problem {
  const first = users
    .slice(0, 3)
    .map((user) => ('count' in user ? `${user.count} of type ${user.type}` : `${user.type} ${user.name}`));
  const more = users.length > first.length ? ` and ${users.length - first.length} more` : '';
  return new Problem('IN_USE', `The ${noun} is in use: ${first.join(', ')}${more}`, {
    members: { usedBy: users.slice(0, MOST_NAMED), usedByTotal: users.length },
  });
}
