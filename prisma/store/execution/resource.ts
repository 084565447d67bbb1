import { DEFAULT_READ_LIMITS, type ReadLimits } from '../../../domain/execution/readLimits.ts';
import { shownVariables } from '../../../domain/execution/secretVariable.ts';
import { Prisma } from '../../generated/client.ts';
import type { Order } from '../order.ts';
import { isoTime, named, type Resource } from '../resource.ts';
import { ACKNOWLEDGED_SQL } from './acknowledgement.ts';
import { EXECUTION_FILTERS } from './executionFilters.ts';
import { pathSql, shownPath } from './executionPath.ts';
import { PENDING_INPUT_SQL, pendingInput } from './openQuestions.ts';
import { RETRYING_STEPS, shownRetryingSteps } from './retryingSteps.ts';
import { INPUT_LINK, inputSql, shownInput, TRIGGER_TYPE } from './shownInput.ts';
import { outputSql, shownOutput } from './shownOutput.ts';
import { STARTED_BY_SQL } from './shownStart.ts';
import { STATUS_MESSAGE, shownStatusMessage } from './statusMessage.ts';

/** Ad-hoc runs (source SDK) and tests of drafts have their own definition. */
const DEFINITION = Prisma.sql`coalesce(t.definition,
  (SELECT v.definition FROM workflow_versions v WHERE v.id = t.version_id))`;

const REFERENCE = Prisma.sql`json_build_object('id', e.id, 'name', e.name, 'status', e.status)`;

/** Newest first. A held execution starts when it is released. */
const LAST_STARTED: Order = {
  name: '-startedAt',
  keys: [{ sql: Prisma.sql`t.started_at`, type: 'time', direction: 'desc' }],
  moves: { at: Prisma.sql`t.started_at`, only: Prisma.sql`t.released_at IS NOT NULL` },
};

/** `outputBytes`: a larger output is a link. A single read has a higher limit than a list. */
export function executionResource(limits: ReadLimits, outputBytes = limits.inlineBytes): Resource {
  return {
    name: 'execution',
    noun: 'execution',
    table: Prisma.sql`executions`,
    place: Prisma.sql`'/api/executions/' || t.id`,
    fields: {
      id: { sql: Prisma.sql`t.id` },
      createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
      updatedAt: { sql: isoTime(Prisma.sql`t.updated_at`) },
      startedAt: { sql: isoTime(Prisma.sql`t.started_at`) },
      stoppedAt: { sql: isoTime(Prisma.sql`t.stopped_at`) },
      executionNumber: { sql: Prisma.sql`t.number` },
      nodes: { sql: Prisma.sql`${DEFINITION} -> 'nodes'`, large: {} },
      edges: { sql: Prisma.sql`${DEFINITION} -> 'edges'`, large: {} },
      status: { sql: Prisma.sql`t.status` },
      statusMessage: { sql: STATUS_MESSAGE, present: (value, _item, open) => shownStatusMessage(value, open) },
      held: { sql: Prisma.sql`t.held` },
      continueExecutionAt: {
        sql: Prisma.sql`CASE WHEN t.status = 'WAITING' THEN (
        SELECT ${isoTime(Prisma.sql`min(s.wake_at)`)} FROM execution_steps s
        WHERE s.execution_id = t.id AND s.status IN ('RETRYING', 'WAITING')) END`,
      },
      retryingSteps: { sql: RETRYING_STEPS, present: (value, _item, open) => shownRetryingSteps(value, open) },
      workflow: { sql: namedWorkflow(Prisma.sql`t.workflow_id`) },
      project: { sql: named(Prisma.sql`projects`, Prisma.sql`t.project_id`) },
      workspace: { sql: named(Prisma.sql`workspaces`, Prisma.sql`t.workspace_id`) },
      output: {
        sql: outputSql(outputBytes),
        present: (value, item, open) => {
          const { output, ...place } = shownOutput(value, open);
          Object.assign(item, place);
          return output;
        },
        // A larger value is replaced by a link of its own.
        large: {
          bytes: Prisma.sql`CASE WHEN t.output_bytes <= ${outputBytes}::bigint THEN t.output_bytes END`,
          link: Prisma.sql`'/api/executions/' || t.id || '/output'`,
          orNull: true,
        },
      },
      outputLink: { sql: large(outputBytes, Prisma.sql`'/api/executions/' || t.id || '/output'`) },
      outputBytes: { sql: large(outputBytes, Prisma.sql`t.output_bytes`) },
      orientation: {
        sql: Prisma.sql`coalesce((SELECT w.orientation FROM workflows w WHERE w.id = t.workflow_id),
          (SELECT d.orientation FROM deleted_workflows d WHERE d.id = t.workflow_id), 'horizontal')`,
      },
      executionVariables: { sql: Prisma.sql`t.variables`, present: shownVariables, large: {} },
      input: {
        sql: inputSql(outputBytes),
        present: (value, item, open) => {
          const { input, ...place } = shownInput(value, open);
          Object.assign(item, place);
          return input;
        },
        large: {
          bytes: Prisma.sql`CASE WHEN t.input_bytes <= ${outputBytes}::bigint THEN t.input_bytes END`,
          link: INPUT_LINK,
          orNull: true,
        },
      },
      triggerType: { sql: TRIGGER_TYPE },
      workflowVersion: { sql: Prisma.sql`t.workflow_version` },
      startedBy: { sql: STARTED_BY_SQL },
      labels: { sql: Prisma.sql`coalesce(t.labels, '{}')` },
      errorCode: { sql: Prisma.sql`t.error_code` },
      failedNodeId: { sql: Prisma.sql`t.failed_node_id` },
      cancelRequestedAt: { sql: isoTime(Prisma.sql`t.end_requested_at`) },
      traceId: { sql: Prisma.sql`coalesce(substr(t.trace, 4, 32), replace(t.id::text, '-', ''))` },
      source: { sql: Prisma.sql`t.source` },
      name: { sql: Prisma.sql`t.name` },
      parentExecution: { sql: Prisma.sql`(SELECT ${REFERENCE} FROM executions e WHERE e.id = t.parent_execution_id)` },
      childExecutions: {
        sql: Prisma.sql`(SELECT coalesce(json_agg(${REFERENCE} ORDER BY e.started_at, e.id), '[]')
        FROM executions e WHERE e.workspace_id = t.workspace_id AND e.parent_execution_id = t.id)`,
        large: {},
      },
      retryOf: { sql: Prisma.sql`(SELECT ${REFERENCE} FROM executions e WHERE e.id = t.retry_of_id)` },
      retriedBy: {
        sql: Prisma.sql`(SELECT json_build_object('id', e.id, 'number', e.number, 'status', e.status)
        FROM executions e WHERE e.retry_of_id = t.id AND e.workspace_id = t.workspace_id ORDER BY e.number DESC LIMIT 1)`,
      },
      acknowledged: { sql: ACKNOWLEDGED_SQL },
      failureOf: {
        sql: Prisma.sql`(SELECT ${REFERENCE} FROM failure_handlings f JOIN executions e ON e.id = f.execution_id
        WHERE f.handler_execution_id = t.id AND f.workspace_id = t.workspace_id)`,
      },
      failureHandling: {
        sql: Prisma.sql`(SELECT json_build_object('status', f.status,
          'workflow', ${namedWorkflow(Prisma.sql`f.handler_workflow_id`)},
          'execution', (SELECT ${REFERENCE} FROM executions e WHERE e.id = f.handler_execution_id), 'error', f.error)
        FROM failure_handlings f WHERE f.execution_id = t.id)`,
      },
      executionPath: {
        sql: pathSql(limits),
        present: (value, item, open) => {
          const { executionPath, ...leftOut } = shownPath(value, open);
          Object.assign(item, leftOut);
          return executionPath;
        },
        alsoAdds: ['stepsLeftOut'],
        singleOnly: true,
      },
      pendingInput: {
        sql: PENDING_INPUT_SQL,
        present: (value, _item, open, linkOf) => pendingInput(value, open, linkOf),
        singleOnly: true,
        large: {},
      },
    },
    defaults: { list: ['id'], single: ['id', 'startedAt'] },
    filters: EXECUTION_FILTERS,
    flags: {
      all: 'everything in the workspace; currently the same rows',
      internal: 'executions of internal workflows too',
    },
    listed: (flags) => (flags.has('internal') ? Prisma.sql`true` : Prisma.sql`NOT t.is_internal`),
    order: LAST_STARTED,
  };
}

function large(outputBytes: number, value: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`CASE WHEN t.output_bytes > ${outputBytes}::bigint THEN ${value} END`;
}

export const EXECUTION = executionResource(DEFAULT_READ_LIMITS);

/** Includes deleted workflows. */
function namedWorkflow(id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`coalesce(${named(Prisma.sql`workflows`, id)}, ${named(Prisma.sql`deleted_workflows`, id)})`;
}
