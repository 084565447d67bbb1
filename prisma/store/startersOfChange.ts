import type { Author } from '../../domain/object/author.ts';
import { Prisma } from '../generated/client.ts';

/** The persons behind the author of a change that starts executions later, as an array of ids; evaluated once a statement. */
export function startersOfChange(workspaceId: string, by: Author | { type: 'platform' }): Prisma.Sql {
  if (by.type === 'platform') return Prisma.sql`'{}'::uuid[]`;
  return Prisma.sql`(SELECT starters_of_change(${workspaceId}::uuid, ${by.type}, ${by.id}::uuid))`;
}
