import { Prisma } from '../../generated/client.ts';
import { startersOfChange } from '../startersOfChange.ts';
import type { Actor } from './history.ts';

/** Adds the actor's starters to those of item `t`. Earlier ones stay: part of the data may be theirs. */
export function withStarters(workspaceId: string, by: Actor): Prisma.Sql {
  return Prisma.sql`ARRAY(SELECT unnest(t.starters) UNION SELECT unnest(${startersOfChange(workspaceId, by)}))`;
}
