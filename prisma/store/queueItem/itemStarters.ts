import { Prisma } from '../../generated/client.ts';
import { startersOfChange } from '../startersOfChange.ts';
import type { Actor } from './history.ts';

/** The starters of item `t` after the actor has changed its data. Those before stay: part of the data may be theirs. */
export function withStarters(workspaceId: string, by: Actor): Prisma.Sql {
  return Prisma.sql`ARRAY(SELECT unnest(t.starters) UNION SELECT unnest(${startersOfChange(workspaceId, by)}))`;
}
