import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

export interface NewProject {
  id: string;
  name: string;
  description: string | null;
  /** Null: made by an API key. */
  createdByUserId: string | null;
}

/** A second try with the same id changes nothing. */
export async function insertProject(database: Database, workspaceId: string, project: NewProject): Promise<void> {
  await database.$executeRaw(Prisma.sql`
    INSERT INTO projects (id, workspace_id, name, description, created_by_user_id)
    VALUES (${project.id}::uuid, ${workspaceId}::uuid, ${project.name}, ${project.description},
      ${project.createdByUserId}::uuid)
    ON CONFLICT (id) DO NOTHING`);
}
