import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

/** Returns the workflows that a project, or another workflow, starts after a failure. */
export async function errorWorkflowsAmong(
  database: Database,
  workspaceId: string,
  named: { ids: readonly string[] } | { projectId: string; slug: string },
): Promise<Set<string>> {
  const isNamed =
    'ids' in named
      ? Prisma.sql`w.id = ANY (${[...named.ids]}::uuid[])`
      : Prisma.sql`w.project_id = ${named.projectId}::uuid AND w.slug = ${named.slug}`;
  const rows = await rowsOf<{ id: string }>(
    database,
    Prisma.sql`
    SELECT w.id FROM workflows w
    WHERE w.workspace_id = ${workspaceId}::uuid AND ${isNamed}
      AND (EXISTS (SELECT FROM projects p WHERE p.workspace_id = w.workspace_id AND p.on_failure_workflow_id = w.id)
        OR EXISTS (SELECT FROM workflows o WHERE o.workspace_id = w.workspace_id AND o.on_failure_workflow_id = w.id))`,
  );
  return new Set(rows.map(({ id }) => id));
}
