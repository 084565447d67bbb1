import type { Viewer } from '../../../domain/access/viewer.ts';
import { answerRightsOf } from '../../../domain/execution/submission.ts';
import { Prisma } from '../../generated/client.ts';
import { subjectOf } from '../agent/agentAccess.ts';
import { anyUuidFilter, booleanFilter, type Filter, timeFilter, uuidFilter } from '../resource.ts';

/** In SQL a question is `p` and its execution `e`. */
export function pendingInputFilters(viewer: Viewer): Record<string, Filter> {
  return {
    executionId: anyUuidFilter('of the execution', (ids) => Prisma.sql`p.execution_id = ANY (${ids})`),
    workflowId: uuidFilter('of executions of the workflow', (id) => Prisma.sql`e.workflow_id = ${id}`),
    projectId: uuidFilter('of executions of the project', (id) => Prisma.sql`e.project_id = ${id}`),
    requestedBefore: timeFilter('asked before the time', Prisma.sql`p.requested_at`, 'before'),
    expiresBefore: timeFilter('that expire before the time', Prisma.sql`p.expires_at`, 'before'),
    mine: booleanFilter('true: that the caller may answer now', mayAnswer(viewer)),
  };
}

/** Tests the rule of refusalOf (domain/execution/submission.ts), the expiry, and whether the person has answered before. */
export function mayAnswer(viewer: Viewer): Prisma.Sql {
  const subject = subjectOf(viewer);
  // An execution cannot answer.
  if (!subject) return Prisma.sql`false`;
  const type = viewer.kind === 'user' ? 'user' : 'apiKey';
  const { unlisted, listed } = answerRightsOf(type, viewer.permissions);
  // Has no column of row `p` or `e`, so Postgres evaluates it once per statement.
  const person = Prisma.sql`(SELECT person_of(${type}, ${subject.id}::uuid))`;
  const names = Prisma.sql`ARRAY(SELECT unnest(ARRAY[u.email, m.role]) FROM workspace_users m JOIN users u ON u.id = m.user_id
    WHERE m.workspace_id = ${viewer.workspaceId}::uuid AND m.user_id = ${person})`;
  const isOpenToAll = Prisma.sql`p.required = 1 AND NOT p.exclude_starter AND p.submitters IN ('"anyone"', '"link"')`;
  const isAmong = Prisma.sql`CASE WHEN jsonb_typeof(p.submitters) = 'array'
    THEN ${listed} AND p.submitters ?| ${names} ELSE ${unlisted} END`;
  const isNotSecond = Prisma.sql`(p.required = 1
    OR NOT p.submissions @> jsonb_build_array(jsonb_build_object('person', ${person})))`;
  return Prisma.sql`((p.expires_at IS NULL OR p.expires_at > now()) AND ${isNotSecond} AND (${isOpenToAll}
    OR ${isAmong} AND NOT (p.exclude_starter AND ${person} = ANY (e.starters))))`;
}

/** For the documentation: the names and descriptions do not depend on the caller. */
export const PENDING_INPUT_FILTERS = pendingInputFilters({
  kind: 'execution',
  executionId: '',
  workspaceId: '',
  permissions: new Set(),
});
