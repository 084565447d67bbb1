import { Prisma } from '../../generated/client.ts';
import type { Actor } from './history.ts';

/** The persons behind an actor, as an array of ids; evaluated once a statement. */
export function startersOf(workspaceId: string, by: Actor): Prisma.Sql {
  if (by.type === 'platform') return Prisma.sql`'{}'::uuid[]`;
  return Prisma.sql`(SELECT starters_of_change(${workspaceId}::uuid, ${by.type}, ${by.id}::uuid))`;
}

/** The starters of item `t` after the actor has changed its data. Those before stay: part of the data may be theirs. */
export function withStarters(workspaceId: string, by: Actor): Prisma.Sql {
  return Prisma.sql`ARRAY(SELECT unnest(t.starters) UNION SELECT unnest(${startersOf(workspaceId, by)}))`;
}
