import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import type { DueCondition } from '../dueRows.ts';

/** Needs at least one duty. */
export async function dueDuties(
  database: Database,
  duties: readonly { name: string; due: DueCondition }[],
): Promise<Set<string>> {
  const looks = duties.map(({ name, due }) => Prisma.sql`SELECT ${name}::text AS name WHERE ${due}`);
  const rows = await database.$queryRaw<{ name: string }[]>`${Prisma.join(looks, ' UNION ALL ')}`;
  return new Set(rows.map(({ name }) => name));
}
