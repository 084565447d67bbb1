import type { Author } from '../../domain/object/author.ts';
import { Prisma } from '../generated/client.ts';

/** Selects the ids of the people behind a change that starts executions later. Postgres evaluates it once per statement. */
export function startersOfChange(workspaceId: string, by: Author | { type: 'platform' }): Prisma.Sql {
  if (by.type === 'platform') return Prisma.sql`'{}'::uuid[]`;
  return Prisma.sql`(SELECT starters_of_change(${workspaceId}::uuid, ${by.type}, ${by.id}::uuid))`;
}
