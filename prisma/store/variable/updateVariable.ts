import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { isUniqueViolation } from '../../uniqueViolation.ts';

/** What is absent stays. */
export interface VariableChange {
  name?: string;
  value?: Json;
  description?: string | null;
}

export type VariableUpdate = 'updated' | 'unknown' | 'nameTaken';

export async function updateVariable(
  database: Database,
  workspaceId: string,
  id: string,
  change: VariableChange,
): Promise<VariableUpdate> {
  const assignments = [Prisma.sql`updated_at = now()`];
  if (change.name !== undefined) assignments.push(Prisma.sql`name = ${change.name}`);
  if (change.value !== undefined) assignments.push(Prisma.sql`value = ${JSON.stringify(change.value)}::jsonb`);
  if (change.description !== undefined) assignments.push(Prisma.sql`description = ${change.description}`);
  try {
    const changed = await database.$executeRaw(Prisma.sql`
      UPDATE variables SET ${Prisma.join(assignments)}
      WHERE id = ${id}::uuid AND workspace_id = ${workspaceId}::uuid`);
    return changed === 1 ? 'updated' : 'unknown';
  } catch (error) {
    if (isUniqueViolation(error)) return 'nameTaken';
    throw error;
  }
}
