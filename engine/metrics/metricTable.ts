export interface MetricEntry {
  kind: 'counter' | 'gauge' | 'histogram';
  help: string;
  labels?: readonly string[];
  /** Upper bounds of a histogram, seconds. */
  buckets?: readonly number[];
  /** May have the label `workflow` (METRICS_WORKFLOWS). */
  byWorkflow?: true;
  /** Computed from the database, by only one process. */
  ofDatabase?: true;
  /** Shown only by processes that serve the API. */
  ofApi?: true;
}

const QUICK = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const DELAYS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800];
const LONG = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 3_600, 21_600, 86_400];

/** All metrics. Labels have few values, so the number of series is independent of workspaces and executions. */
export const METRICS = {
  perdure_executions_started_total: {
    kind: 'counter',
    help: 'Executions that have begun: their first write is stored.',
    byWorkflow: true,
  },
  perdure_executions_ended_total: {
    kind: 'counter',
    help: 'Executions that have ended, by their final status.',
    labels: ['status'],
    byWorkflow: true,
  },
  perdure_execution_duration_seconds: {
    kind: 'histogram',
    help: 'Time from the acceptance of an execution to its end, waiting included.',
    buckets: LONG,
    byWorkflow: true,
  },
  perdure_execution_start_delay_seconds: {
    kind: 'histogram',
    help: 'Time from the acceptance of an execution, or its release, to its first stored write.',
    buckets: DELAYS,
  },
  perdure_start_calls_total: {
    kind: 'counter',
    help: 'Calls that start an execution in the engine: `started`, `known` (it had it already), `refused`, `unanswered`.',
    labels: ['outcome'],
  },
  perdure_executions_open: {
    kind: 'gauge',
    help: 'Executions that have not ended, by status.',
    labels: ['status'],
    ofDatabase: true,
  },
  perdure_executions_oldest_pending_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest execution that is accepted, not held, and has not begun; 0 where there is none.',
    ofDatabase: true,
  },
  perdure_steps_total: {
    kind: 'counter',
    help: 'Steps that have ended. A step without an action has the app `control`, and its type as action.',
    labels: ['app', 'action', 'status'],
  },
  perdure_step_duration_seconds: {
    kind: 'histogram',
    help: 'Time from the begin of a step to its end, attempts and waits included.',
    buckets: LONG,
  },
  perdure_questions_open: { kind: 'gauge', help: 'Questions that wait for people.', ofDatabase: true },
  perdure_question_age_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest open question; 0 where there is none.',
    ofDatabase: true,
  },
  perdure_questions_expiring: {
    kind: 'gauge',
    help: 'Open questions whose time is over within an hour, of those that were given more than an hour.',
    ofDatabase: true,
  },
  perdure_queue_items: {
    kind: 'gauge',
    help: 'Items of all queues, by status.',
    labels: ['status'],
    ofDatabase: true,
  },
  perdure_queue_oldest_ready_seconds: {
    kind: 'gauge',
    help: 'Time since the oldest item that is ready in an active queue was last moved; 0 where none is ready.',
    ofDatabase: true,
  },
  perdure_queue_workflows_oldest_ready_seconds: {
    kind: 'gauge',
    help: 'The same of queues that start workflows: what people or other programs drain may wait for the morning.',
    ofDatabase: true,
  },
  perdure_lease_expiries_total: { kind: 'counter', help: 'Leases of queue items that ran out before their end.' },
  perdure_event_attempts_total: {
    kind: 'counter',
    help: 'Attempts to deliver an event to a subscription, by what follows: `delivered`, `again` (later), `failed` (given up), `gone` (410: the subscription is switched off).',
    labels: ['outcome'],
  },
  perdure_event_delay_seconds: {
    kind: 'histogram',
    help: 'Time from an event, or the order to replay it, to the end of its first attempt. Waiting for earlier events of its subject is part of it.',
    buckets: DELAYS,
  },
  perdure_turns_total: {
    kind: 'counter',
    help: "Ends of agents' turns, by status.",
    labels: ['status'],
  },
  perdure_model_tokens_total: {
    kind: 'counter',
    help: 'Tokens of model calls in turns, as the provider counted them. `cached_input` is part of `input`, `reasoning` of `output`.',
    labels: ['kind'],
  },
  perdure_api_keys_expiring: {
    kind: 'gauge',
    help: 'API keys in use that end within 14 days, of those that were made for longer.',
    ofDatabase: true,
  },
  perdure_connections_broken: {
    kind: 'gauge',
    help: 'Connections that must be authorized again.',
    ofDatabase: true,
  },
  perdure_worker_queue_waiting: {
    kind: 'gauge',
    help: "Steps that wait because nobody polls the task queue of their customer's worker; the 100 queues with most.",
    labels: ['queue'],
    ofDatabase: true,
  },
  perdure_http_requests_total: {
    kind: 'counter',
    help: 'Answered requests, by operationId and HTTP status; `none` where no operation matched.',
    labels: ['operation', 'status'],
  },
  perdure_http_request_duration_seconds: {
    kind: 'histogram',
    help: 'Time of a request to the end of its answer; event streams are not counted.',
    buckets: QUICK,
  },
  perdure_streams_open: {
    kind: 'gauge',
    help: 'Event streams that this process serves now; absent where it does not serve the API.',
    ofApi: true,
  },
  perdure_reconciler_repairs_total: {
    kind: 'counter',
    help: 'Rows on which a duty of the reconciler acted, because an act was lost; of starts, those whose claim had lapsed.',
    labels: ['duty'],
  },
  perdure_reconciler_duties_held: {
    kind: 'gauge',
    help: 'Leases of duties of the reconciler that this process holds now: one for each shard of a duty.',
  },
  perdure_reconciler_failures_total: {
    kind: 'counter',
    help: 'Runs of a duty that failed, the absence of database or engine included.',
    labels: ['duty'],
  },
  perdure_database_pool_size: { kind: 'gauge', help: 'Connections to the database that this process may hold.' },
  perdure_database_pool_open: { kind: 'gauge', help: 'Connections to the database that are open.' },
  perdure_database_pool_idle: { kind: 'gauge', help: 'Open connections that no statement uses.' },
  perdure_database_pool_waiting: { kind: 'gauge', help: 'Statements that wait for a connection.' },
  perdure_certificate_expiry_seconds: {
    kind: 'gauge',
    help: 'Seconds until the client certificate for the Temporal server ends (TEMPORAL_TLS_CLIENT_CERT_PATH); absent without one.',
  },
} as const satisfies Readonly<Record<`perdure_${string}`, MetricEntry>>;

export type MetricName = keyof typeof METRICS;
