import type { Database } from '../../client.ts';

export interface NewProject {
  id: string;
  name: string;
  description: string | null;
  onFailureWorkflowId: string | null;
  /** Null: created by an API key. */
  createdByUserId: string | null;
}

export async function insertProject(database: Database, workspaceId: string, project: NewProject): Promise<void> {
  await database.project.createMany({ data: [{ ...project, workspaceId }], skipDuplicates: true });
}
