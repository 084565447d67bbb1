import { Prisma } from '../../generated/client.ts';

/** `{id, name}` of the starter of execution `t`, by its type; null if only the type is known. */
const SOURCES: Readonly<Record<string, Prisma.Sql>> = {
  user: Prisma.sql`(SELECT json_build_object('id', u.id, 'name', u.name) FROM users u WHERE u.id = t.started_by_id)`,
  apiKey: Prisma.sql`(SELECT json_build_object('id', k.id, 'name', k.name) FROM api_keys k
    WHERE k.id = t.started_by_id AND k.workspace_id = t.workspace_id)`,
  queue: Prisma.sql`(SELECT json_build_object('id', q.id, 'name', q.name) FROM queues q WHERE q.id = t.queue_id)`,
  agent: Prisma.sql`(SELECT json_build_object('id', a.id, 'name', a.name) FROM run_tool_calls c
    JOIN task_runs r ON r.id = c.run_id JOIN tasks k ON k.id = r.task_id JOIN agents a ON a.id = k.agent_id
    WHERE c.execution_id = t.id AND r.workspace_id = t.workspace_id LIMIT 1)`,
  // The workflow that called it, or the one whose failure it handles.
  workflow: Prisma.sql`(SELECT json_build_object('id', w.id, 'name', w.name) FROM executions p
    JOIN (SELECT id, name FROM workflows UNION ALL SELECT id, name FROM deleted_workflows) w ON w.id = p.workflow_id
    WHERE p.workspace_id = t.workspace_id AND p.id = coalesce(t.parent_execution_id,
      (SELECT f.execution_id FROM failure_handlings f WHERE f.handler_execution_id = t.id)))`,
  retry: Prisma.sql`(SELECT json_build_object('id', p.id, 'name', p.name) FROM executions p
    WHERE p.id = t.retry_of_id AND p.workspace_id = t.workspace_id)`,
};

const SOURCE = Prisma.sql`CASE t.started_by_type ${Prisma.join(
  Object.entries(SOURCES).map(([type, sql]) => Prisma.sql`WHEN ${Prisma.raw(`'${type}'`)} THEN ${sql}`),
  ' ',
)} END`;

export const STARTED_BY_SQL = Prisma.sql`(SELECT json_strip_nulls(json_build_object('type', t.started_by_type,
  'id', coalesce(s.source ->> 'id', t.started_by_id::text), 'name', s.source ->> 'name'))
  FROM (SELECT ${SOURCE} AS source) s)`;
