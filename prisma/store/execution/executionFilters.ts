import { MAX_QUEUE_LENGTH } from '../../../domain/app/workerQueues.ts';
import { LABEL_KEY, MAX_LABEL_LENGTH } from '../../../domain/execution/labels.ts';
import { STARTED_BY_TYPES } from '../../../domain/execution/startedBy.ts';
import { EXECUTION_STATUSES } from '../../../domain/execution/status.ts';
import { Prisma } from '../../generated/client.ts';
import {
  anyOfFilter,
  booleanFilter,
  enumFilter,
  equalFilter,
  type Filter,
  intFilter,
  textFilter,
  timeFilter,
  uuidFilter,
} from '../resource.ts';
import { taskFilter } from '../task/taskFilter.ts';
import { ACKNOWLEDGED } from './acknowledgement.ts';
import { RETRYING } from './retryingSteps.ts';
import { APPROVAL_WAITS_OF_EXECUTION, CONNECTION_WAITS_OF_EXECUTION } from './stepWaits.ts';
import { WORKER_WAITS_OF_EXECUTION } from './workerWaits.ts';

const RETRIED = Prisma.sql`coalesce((SELECT r.status NOT IN ('FAILED', 'CANCELLED', 'TIMED_OUT') FROM executions r
  WHERE r.retry_of_id = t.id AND r.workspace_id = t.workspace_id ORDER BY r.number DESC LIMIT 1), false)`;

/** It has its own definition and belongs to a workflow; an ad-hoc run belongs to none. */
const OF_DRAFT = Prisma.sql`(t.workflow_id IS NOT NULL AND t.version_id IS NULL)`;

/** In SQL the execution's row is `t`. */
export const EXECUTION_FILTERS: Record<string, Filter> = {
  projectId: uuidFilter('of the project', (id) => Prisma.sql`t.project_id = ${id}`),
  workflowId: uuidFilter('of the workflow', (id) => Prisma.sql`t.workflow_id = ${id}`),
  workflowVersion: intFilter('of this version; beside `workflowId`', Prisma.sql`t.workflow_version`),
  number: intFilter('with this number in the workspace', Prisma.sql`t.number`),
  source: enumFilter('started by stored workflows, or ad-hoc runs', Prisma.sql`t.source`, ['WORKFLOW', 'SDK']),
  draft: {
    ...booleanFilter("true: tests of workflows' drafts, which are left out otherwise", OF_DRAFT),
    otherwise: 'false',
  },
  startedBy: anyOfFilter('started by', Prisma.sql`t.started_by_type`, STARTED_BY_TYPES),
  'label.<key>': {
    description: 'whose label of this key is this text',
    expected: `label.<key> with a key of letters, digits, _ and -, and a text of at most ${MAX_LABEL_LENGTH} characters`,
    where: (text, { workspaceId, name: key = '' }) =>
      LABEL_KEY.test(key) && text.length <= MAX_LABEL_LENGTH
        ? Prisma.sql`(t.labels <> '{}' AND label_terms(t.workspace_id, t.labels)
            @> ARRAY[${`${workspaceId} ${key}=${text}`}::text])`
        : undefined,
  },
  status: anyOfFilter('in the status', Prisma.sql`t.status`, EXECUTION_STATUSES),
  held: booleanFilter('true: held by a pause or a limit of the workflow', Prisma.sql`t.held`),
  retrying: booleanFilter('true: a step waits for another attempt', RETRYING),
  errorCode: equalFilter('that failed with this code', Prisma.sql`t.error_code`),
  failedNodeId: equalFilter('that failed in this node, or in a loop in this node of it', Prisma.sql`t.failed_node_id`),
  startedAfter: timeFilter('started after the time', Prisma.sql`t.started_at`, 'after'),
  startedBefore: timeFilter('started before the time', Prisma.sql`t.started_at`, 'before'),
  name: textFilter('whose name contains the text; case is ignored', Prisma.sql`t.name`),
  parentExecutionId: uuidFilter('started by the execution', (id) => Prisma.sql`t.parent_execution_id = ${id}`),
  retried: booleanFilter('true: its newest retry is open or COMPLETED', RETRIED),
  acknowledged: booleanFilter('true: its failure was acknowledged', ACKNOWLEDGED),
  retryOfId: uuidFilter('retries of the execution', (id) => Prisma.sql`t.retry_of_id = ${id}`),
  taskId: taskFilter(
    "started by tool calls of the agent's task",
    (isChosen) => Prisma.sql`EXISTS (SELECT FROM tasks k JOIN task_runs r ON r.task_id = k.id
      JOIN run_tool_calls c ON c.run_id = r.id WHERE c.execution_id = t.id AND ${isChosen})`,
  ),
  runId: uuidFilter(
    "started by tool calls of the agent's turn",
    (id) => Prisma.sql`EXISTS (SELECT FROM run_tool_calls c JOIN task_runs r ON r.id = c.run_id
      WHERE c.execution_id = t.id AND r.id = ${id} AND r.workspace_id = t.workspace_id)`,
  ),
  waitingForConnection: uuidFilter(
    'with a step that waits for the connection to be authorized again',
    (id) => Prisma.sql`EXISTS (SELECT FROM ${CONNECTION_WAITS_OF_EXECUTION} AND w.awaited = ${id})`,
  ),
  waitingForApproval: booleanFilter(
    'true: a step waits until a tool call of an agent is approved',
    Prisma.sql`EXISTS (SELECT FROM ${APPROVAL_WAITS_OF_EXECUTION})`,
  ),
  waitingForWorker: {
    description: 'with a step that waits until a worker polls this task queue',
    expected: `a task queue of at most ${MAX_QUEUE_LENGTH} characters`,
    where: (queue) =>
      queue !== '' && queue.length <= MAX_QUEUE_LENGTH
        ? Prisma.sql`EXISTS (SELECT FROM ${WORKER_WAITS_OF_EXECUTION} AND s.task_queue = ${queue})`
        : undefined,
  },
  failureOfId: uuidFilter(
    'started by the failure of the execution',
    (id) => Prisma.sql`t.id = (SELECT f.handler_execution_id FROM failure_handlings f WHERE f.execution_id = ${id})`,
  ),
};
