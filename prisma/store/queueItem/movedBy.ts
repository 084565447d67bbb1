import { Prisma } from '../../generated/client.ts';
import type { Actor } from './actor.ts';

/** The assignments by which the history of moves knows who moved an item, and why: a trigger of the migration takes them. */
export function movedBy(by: Actor, note?: string): Prisma.Sql[] {
  return [Prisma.sql`moved_by = ${JSON.stringify(by)}::jsonb`, Prisma.sql`moved_note = ${note ?? null}`];
}
