import { isGrantOnly } from '../../../domain/access/viewer.ts';
import { SHOWN_RUN_STATUSES } from '../../../domain/agent/runStatus.ts';
import { Prisma } from '../../generated/client.ts';
import { subjectOf } from '../agent/agentAccess.ts';
import { column } from '../column.ts';
import { LAST_UPDATED } from '../order.ts';
import { anyOfFilter, isoTime, named, type Resource, type ResourceField, uuidFilter, wrapFilter } from '../resource.ts';
import { PENDING_APPROVALS } from './pendingApprovals.ts';
import { taskFilter } from './taskFilter.ts';

/** The running turn, and the newest turn that is not queued. */
const RUNNING = Prisma.sql`task_runs r WHERE r.task_id = t.id AND r.status = 'RUNNING'`;
const LATEST = Prisma.sql`task_runs r WHERE r.task_id = t.id AND r.status <> 'QUEUED' ORDER BY r.number DESC LIMIT 1`;

const AGENT_OF = Prisma.sql`t.agent_id`;
const USAGE = ['inputTokens', 'outputTokens', 'totalTokens', 'cachedInputTokens', 'reasoningTokens'];

export const TASK: Resource = {
  name: 'task',
  noun: 'task',
  table: Prisma.sql`tasks`,
  hasChosenIds: true,
  place: Prisma.sql`'/api/tasks/' || t.client_id`,
  fields: {
    id: { sql: Prisma.sql`t.client_id` },
    name: { sql: Prisma.sql`t.name` },
    isStreaming: { sql: Prisma.sql`EXISTS (SELECT FROM ${RUNNING})` },
    lastActivityAt: { sql: isoTime(Prisma.sql`t.last_activity_at`) },
    latestRun: latestRun(Prisma.sql`jsonb_build_object('code', r.error -> 'code')`),
    activeStreamId: { sql: Prisma.sql`(SELECT r.id FROM ${RUNNING})`, singleOnly: true },
    createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
    updatedAt: { sql: isoTime(Prisma.sql`t.updated_at`) },
    description: { sql: Prisma.sql`t.description` },
    agent: { sql: named(Prisma.sql`agents`, AGENT_OF) },
    project: {
      sql: named(Prisma.sql`projects`, Prisma.sql`(SELECT a.project_id FROM agents a WHERE a.id = ${AGENT_OF})`),
    },
    messages: {
      sql: Prisma.sql`(SELECT coalesce(json_agg(jsonb_build_object('id', m.id, 'role', m.role, 'parts', m.parts)
          || CASE WHEN m.metadata IS NULL THEN '{}' ELSE jsonb_build_object('metadata', m.metadata) END
        ORDER BY m.position, m.id), '[]') FROM task_messages m WHERE m.task_id = t.id)`,
      large: {
        bytes: Prisma.sql`(SELECT sum(octet_length(m.parts::text) + 100) FROM task_messages m WHERE m.task_id = t.id)`,
        link: wholeOf('messages'),
      },
    },
    messageCreatedAt: {
      sql: Prisma.sql`(SELECT coalesce(json_object_agg(m.id, ${isoTime(Prisma.sql`m.created_at`)} ORDER BY m.position, m.id), '{}')
        FROM task_messages m WHERE m.task_id = t.id)`,
      large: { link: wholeOf('messageCreatedAt') },
    },
    messageUsage: {
      // A message that was continued after an approval has several turns.
      sql: Prisma.sql`(SELECT coalesce(json_object_agg(u.message_id, u.usage ORDER BY u.number), '{}') FROM (
        SELECT r.message_id, max(r.number) AS number, ${sumOfUsage()} AS usage
        FROM task_runs r JOIN task_messages m ON m.task_id = r.task_id AND m.id = r.message_id
        WHERE r.task_id = t.id AND r.usage IS NOT NULL GROUP BY r.message_id) u)`,
      large: { link: wholeOf('messageUsage') },
    },
    usage: {
      sql: Prisma.sql`(SELECT ${sumOfUsage()} FROM (
        SELECT u.usage FROM task_runs u WHERE u.task_id = t.id AND u.usage IS NOT NULL
        UNION ALL SELECT t.naming_usage WHERE t.naming_usage IS NOT NULL) r)`,
    },
    runs: {
      sql: Prisma.sql`(SELECT coalesce(json_agg(json_build_object('id', r.id, 'messageId', r.message_id, 'status', r.status,
          'startedAt', ${isoTime(Prisma.sql`r.started_at`)}, 'finishedAt', ${isoTime(Prisma.sql`r.finished_at`)},
          'finishReason', r.finish_reason, 'usage', r.usage, 'steps', (
            SELECT coalesce(jsonb_agg(s.step - 'goesOn' - 'times' ORDER BY s.place), '[]')
            FROM jsonb_array_elements(r.steps) WITH ORDINALITY AS s (step, place))) ORDER BY r.number), '[]')
        FROM task_runs r WHERE r.task_id = t.id AND r.status <> 'QUEUED')`,
      large: { link: wholeOf('runs') },
    },
    finishReason: { sql: Prisma.sql`(SELECT r.finish_reason FROM ${LATEST})` },
    customIdentifier: { sql: Prisma.sql`t.custom_identifier` },
    parentTask: {
      sql: Prisma.sql`(SELECT json_build_object('id', p.client_id, 'name', p.name, 'agentId', p.agent_id) FROM tasks p WHERE p.id = t.parent_task_id)`,
    },
    parentExecution: {
      sql: Prisma.sql`(SELECT json_build_object('id', e.id, 'name', e.name, 'status', e.status)
        FROM task_runs r JOIN executions e ON e.id = r.parent_execution_id WHERE r.task_id = t.id ORDER BY r.number DESC LIMIT 1)`,
    },
    toolExecutions: {
      sql: Prisma.sql`(SELECT coalesce(json_agg(json_build_object('messageId', r.message_id, 'toolCallId', c.tool_call_id,
          'executionId', e.id) ORDER BY r.number, c.step, c.position), '[]')
        FROM task_runs r JOIN run_tool_calls c ON c.run_id = r.id JOIN executions e ON e.id = c.execution_id
        WHERE r.task_id = t.id AND e.workspace_id = t.workspace_id)`,
      large: { link: wholeOf('toolExecutions') },
    },
    pendingApprovals: { ...PENDING_APPROVALS, large: { link: wholeOf('pendingApprovals') } },
  },
  defaults: {
    list: ['id', 'name', 'isStreaming'],
    single: ['id', 'name', 'isStreaming', 'lastActivityAt', 'latestRun', 'activeStreamId'],
  },
  filters: {
    projectId: uuidFilter(
      'of the project of its agent',
      (id) =>
        Prisma.sql`EXISTS (SELECT FROM agents a
          WHERE a.id = t.agent_id AND a.workspace_id = t.workspace_id AND a.project_id = ${id})`,
    ),
    agentId: uuidFilter('of the agent', (id) => Prisma.sql`t.agent_id = ${id}`),
    // The join may start with the turns: few have a status that callers filter by.
    status: wrapFilter(
      anyOfFilter('whose latest turn is in the status', Prisma.sql`r.status`, SHOWN_RUN_STATUSES),
      (inStatus) => Prisma.sql`EXISTS (SELECT FROM task_runs r
        WHERE r.task_id = t.id AND r.workspace_id = t.workspace_id AND ${inStatus} AND NOT EXISTS (
          SELECT FROM task_runs n WHERE n.task_id = r.task_id AND n.number > r.number AND n.status <> 'QUEUED'))`,
    ),
    parentTaskId: taskFilter(
      'created by tool calls of the task: conversations between agents',
      (isChosen) => Prisma.sql`EXISTS (SELECT FROM tasks k WHERE k.id = t.parent_task_id AND ${isChosen})`,
    ),
    parentExecutionId: uuidFilter(
      'with turns that the execution requested (agent.run)',
      (id) => Prisma.sql`t.id IN (SELECT r.task_id FROM task_runs r WHERE r.parent_execution_id = ${id})`,
    ),
  },
  flags: { all: 'everything in the workspace that the caller may see; currently the same rows' },
  visible: (_flags, viewer) => {
    if (!isGrantOnly(viewer)) return Prisma.sql`true`;
    const subject = subjectOf(viewer);
    return subject ? Prisma.sql`t.${subject.createdByColumn} = ${subject.id}::uuid` : Prisma.sql`false`;
  },
  // Callers with only a grant get the code of a failure: its message may quote the agent's settings.
  shownAs: (viewer): Record<string, ResourceField> =>
    isGrantOnly(viewer) ? {} : { latestRun: latestRun(Prisma.sql`r.error`) },
  order: LAST_UPDATED,
  changes: { name: column('name'), description: column('description') },
};

/** Includes the error, also while the turn waits for another try. */
function latestRun(error: Prisma.Sql): ResourceField {
  return {
    sql: Prisma.sql`(SELECT jsonb_build_object('id', r.id, 'status', r.status, 'startedAt', ${isoTime(Prisma.sql`r.started_at`)},
        'finishedAt', ${isoTime(Prisma.sql`r.finished_at`)}, 'finishReason', r.finish_reason, 'usage', r.usage)
      || CASE WHEN r.error IS NULL OR r.status NOT IN ('RUNNING', 'FAILED') THEN '{}' ELSE jsonb_build_object('error', ${error}) END
      || CASE WHEN r.retry_at IS NULL THEN '{}' ELSE jsonb_build_object('retryAt', ${isoTime(Prisma.sql`r.retry_at`)}) END
      || CASE WHEN r.context_trimmed IS NULL THEN '{}' ELSE jsonb_build_object('contextTrimmed', r.context_trimmed) END
      FROM ${LATEST})`,
  };
}

/** Includes the agent's id, because tasks of several agents may have the same id. */
function wholeOf(field: string): Prisma.Sql {
  return Prisma.sql`'/api/tasks/' || t.client_id || '?agentId=' || t.agent_id || ${Prisma.raw(`'&expansion=${field}'`)}`;
}

/** Sums the usage of several turns; includes their cost if all have one, in one currency (domain/agent/usage.ts). */
function sumOfUsage(): Prisma.Sql {
  const sums = USAGE.map((name) => Prisma.raw(`'${name}', coalesce(sum(tokens_in(r.usage, '${name}')), 0)`));
  return Prisma.sql`jsonb_strip_nulls(jsonb_build_object(${Prisma.join(sums)}, 'cost', CASE
    WHEN bool_and(r.usage ? 'cost' OR r.usage ->> 'totalTokens' = '0')
      AND count(DISTINCT r.usage #>> '{cost,currency}') = 1
    THEN jsonb_build_object('amount', trim_scale(sum((r.usage #>> '{cost,amount}')::numeric))::text,
      'currency', min(r.usage #>> '{cost,currency}')) END))`;
}
