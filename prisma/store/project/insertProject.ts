import type { Database } from '../../client.ts';

export interface NewProject {
  id: string;
  name: string;
  /** Absent: derived from the name. */
  slug?: string | undefined;
  description: string | null;
  onFailureWorkflowId: string | null;
  /** Null: created by an API key. */
  createdByUserId: string | null;
}

/** A second try with the same id changes nothing. Throws CONFLICT if the slug is taken. */
export async function insertProject(database: Database, workspaceId: string, project: NewProject): Promise<void> {
  const { id, name, slug, description, onFailureWorkflowId, createdByUserId } = project;
  // Raw: Prisma's `skipDuplicates` would ignore a taken slug, too.
  await database.$executeRaw`
    INSERT INTO projects (id, workspace_id, name, slug, description, on_failure_workflow_id, created_by_user_id)
    VALUES (${id}::uuid, ${workspaceId}::uuid, ${name}, ${slug ?? null}, ${description}, ${onFailureWorkflowId}::uuid,
      ${createdByUserId}::uuid)
    ON CONFLICT (id) DO NOTHING`;
}
