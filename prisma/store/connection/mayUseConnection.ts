import type { Viewer } from '../../../domain/access/viewer.ts';
import { Prisma } from '../../generated/client.ts';

export interface Subject {
  type: 'user' | 'apiKey' | 'role';
  id: string;
}

/** Executions have no caller: connections of their steps were checked when the steps were stored. */
export function mayUseConnection(viewer: Viewer | undefined, row: Prisma.Sql): Prisma.Sql {
  const subject = subjectOf(viewer);
  if (!subject) return Prisma.sql`NOT ${row}.is_managed`;
  return Prisma.sql`(NOT ${row}.is_managed OR EXISTS (SELECT FROM connection_assignments a
    WHERE a.connection_id = ${row}.id AND ${subject}))`;
}

export function maySeeConnection(viewer: Viewer, row: Prisma.Sql): Prisma.Sql {
  return viewer.permissions.has('workspace:admin') ? Prisma.sql`true` : mayUseConnection(viewer, row);
}

/** The caller who makes a connection managed could not assign it to anybody otherwise. Administrators can. */
export function makersAssignment(viewer: Viewer): Subject | undefined {
  if (viewer.permissions.has('workspace:admin')) return undefined;
  if (viewer.kind === 'apiKey') return { type: 'apiKey', id: viewer.apiKeyId };
  return viewer.kind === 'user' ? { type: 'user', id: viewer.userId } : undefined;
}

function subjectOf(viewer: Viewer | undefined): Prisma.Sql | undefined {
  if (viewer?.kind === 'apiKey') return Prisma.sql`(a.subject_type = 'apiKey' AND a.subject_id = ${viewer.apiKeyId})`;
  if (viewer?.kind !== 'user') return undefined;
  return Prisma.sql`(a.subject_type = 'user' AND a.subject_id = ${viewer.userId} OR a.subject_type = 'role' AND a.subject_id = (
    SELECT m.role FROM workspace_users m
    WHERE m.workspace_id = ${viewer.workspaceId}::uuid AND m.user_id = ${viewer.userId}::uuid))`;
}
