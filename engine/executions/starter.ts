import { LRUCache } from 'lru-cache';
import { v7 } from 'uuid';
import type { Credential } from '../../domain/access/credential.ts';
import type { Keeping } from '../../domain/execution/executionRetry.ts';
import type { KeptSecret } from '../../domain/execution/keptSecret.ts';
import type { Labels } from '../../domain/execution/labels.ts';
import { maskSecrets } from '../../domain/execution/maskSecrets.ts';
import { triggerSecrets } from '../../domain/execution/secretTexts.ts';
import { holdSecretMarks } from '../../domain/execution/secretVariable.ts';
import type { StartedBy } from '../../domain/execution/startedBy.ts';
import type { Json } from '../../domain/json.ts';
import { Problem } from '../../domain/problem.ts';
import { type Trace, traceText } from '../../domain/trace/trace.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import type { Definition } from '../../domain/workflow/definition.ts';
import type { Database } from '../../prisma/client.ts';
import {
  type CreatedExecution,
  createAdHocExecution,
  createWorkflowExecution,
} from '../../prisma/store/execution/createExecution.ts';
import { createRetry } from '../../prisma/store/execution/createRetry.ts';
import type { RetrySource } from '../../prisma/store/execution/readRetrySource.ts';
import type { UnstartedExecution } from '../../prisma/store/execution/reconcileQueries.ts';
import { takeBatches } from '../../prisma/store/queue/takeBatches.ts';
import { readWorkflowHead, type WorkflowHead } from '../../prisma/store/workflow/findWorkflow.ts';
import type { ExecutionStart } from '../engine.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import { traceHere } from '../tracing/work.ts';
import { computedLabels, lateLabels } from './computedLabels.ts';
import type { ContextHandoff } from './contextHandoff.ts';
import type { DefinitionCache } from './definitionCache.ts';
import { executionStartOf } from './executionStart.ts';
import type { StartLine } from './startLine.ts';
import { type CircleStart, workflowCircle } from './workflowCircle.ts';

export interface StarterOptions {
  database: Database;
  line: StartLine;
  definitions: DefinitionCache;
  evaluation: Evaluation;
  /** Most bytes of data and metadata of the items of one execution. */
  batchBytes: number;
  /** Ended iterations that a retry takes over in one statement. */
  takeOverBatch: number;
  /** Present when a worker runs in this process. */
  handoff?: ContextHandoff;
}

export interface Start {
  /** The same id again starts nothing new. */
  executionId: string;
  requestId: string;
  startedBy: StartedBy;
}

/** Looks at the workflow. Throws a Problem where the start is refused. */
export type Admission = (head: WorkflowHead, definition: CompiledDefinition) => Admitted | Promise<Admitted>;

export interface Admitted {
  /** The value of `trigger` in expressions. */
  trigger: Json;
  /** The caller waits for the execution, so it wants to know whether the engine has it. */
  isAwaited: boolean;
  /** On whose behalf, where only a look at the workflow tells whether that is asked for. */
  by?: Credential | undefined;
  /** Further texts to mask, beside the texts of secret fields. */
  secrets?: readonly KeptSecret[];
  /** Labels beside those of the definition, over which they win. */
  labels?: Labels | undefined;
  /** Workflows that start each other in a circle are refused here; otherwise the step that closes it fails. */
  refusesCircle?: boolean;
}

/** The definition of a retry: that of the original execution, or the workflow's newest. */
export type RetryVersion = 'original' | 'latest';

/** The kept part of the original execution. Throws a Problem if the retry is refused. */
export type RetryPreparation = (before: CompiledDefinition, after: CompiledDefinition) => Promise<PreparedRetry>;

export interface PreparedRetry {
  keeping: Keeping;
  /** Undefined: that of the execution before. */
  trigger: Json | undefined;
}

/** `by`: who retries it. */
export type RetryStart = Omit<Start, 'startedBy'> & { by: Credential };

interface Retry {
  source: RetrySource;
  /** Of the original execution. */
  before: CompiledDefinition;
  version: RetryVersion;
  start: RetryStart;
  prepare: RetryPreparation;
}

const HEADS = 5_000;

/**
 * Accepts executions: writes the row, then starts the Temporal workflow. A start is accepted once its row is written.
 * If the engine is away, the reconciler starts it later, and `started` is false for a caller that waits. A held
 * execution is started by its release (releaser.ts).
 *
 * The head of a workflow is cached between starts; the statement that writes the row checks it, so a start never runs
 * an old version.
 */
export class Starter {
  readonly #options: StarterOptions;
  readonly #heads = new LRUCache<string, WorkflowHead>({ max: HEADS });

  constructor(options: StarterOptions) {
    this.#options = options;
  }

  /** `workspaceId` undefined: any workspace's. Undefined where there is no such workflow. */
  async startWorkflow(
    workspaceId: string | undefined,
    workflowId: string,
    start: Start,
    admit: Admission,
  ): Promise<{ started: boolean; head: WorkflowHead } | undefined> {
    const known = this.#heads.get(workflowId);
    if (known && (workspaceId === undefined || known.workspaceId === workspaceId)) {
      const started = await this.#tryStart(known, start, admit).catch((error: unknown) => {
        // The refusal may rest on a stale cache: the code below reads the rows.
        if (error instanceof Problem) return undefined;
        throw error;
      });
      if (started !== undefined) return { started, head: known };
    }
    for (;;) {
      const head = await readWorkflowHead(this.#options.database, workspaceId, workflowId);
      if (!head) return undefined;
      this.#heads.set(workflowId, head);
      const started = await this.#tryStart(head, start, admit);
      if (started !== undefined) return { started, head };
      // Accepted before, under the same Idempotency-Key: if its start was lost, the reconciler has it.
      if (await this.#isSame(head)) return { started: true, head };
    }
  }

  /** Starts an execution whose row exists, without a waiting caller. Returns, and calls `whenKnown`, like StartLine. */
  async startAccepted(row: UnstartedExecution, whenKnown?: () => void): Promise<boolean> {
    const { line } = this.#options;
    return !line.has(row.executionId) && line.startBehind(await executionStartOf(this.#options, row), whenKnown);
  }

  /**
   * Up to `most` batches of a queue's items, as executions of a workflow that drains it. Answers how many there were: fewer
   * where no more items are ready, or there is no room for more.
   */
  async startBatches(head: WorkflowHead, queueId: string, most: number): Promise<number> {
    const { database, definitions, line, batchBytes } = this.#options;
    const { workspaceId, id: workflowId, versionId } = head;
    const executionIds = Array.from({ length: most }, () => v7());
    const definition = await definitions.get({ workspaceId, executionId: workflowId, versionId });
    const taken = await takeBatches(database, {
      ...{ workspaceId, queueId, workflowId, versionId, executionIds, mostBytes: batchBytes },
      variables: definition.variables,
      isLabelled: definition.labels !== undefined,
    });
    const labelled = definition.labels && (await lateLabels(this.#options, workspaceId, definition, taken));
    for (const { executionId, trigger, timeoutMs, limited, ...created } of taken) {
      this.#handOver(executionId, workflowId, trigger, created);
      const { number } = created;
      const labels = labelled?.get(executionId);
      line.startBehind({ ...startOf({ ...head, timeoutMs }, { executionId }, definition), limited, labels, number });
    }
    return taken.length;
  }

  /** `definition` has been validated. */
  async startAdHoc(workspaceId: string, name: string, definition: Definition, start: Start): Promise<boolean> {
    const { database, definitions } = this.#options;
    const { executionId, requestId, startedBy } = start;
    const { plan, variables } = definitions.add(workspaceId, executionId, definition);
    const trace = traceHere();
    const named = { id: executionId, requestId, startedBy, name, trace };
    const execution = { ...named, trigger: {}, variables, definition, isAwaited: true };
    const created = await createAdHocExecution(database, workspaceId, execution);
    if (created) this.#handOver(executionId, null, {}, created, trace);
    return this.#options.line.start({ executionId, workspaceId, source: 'SDK', name, plan, number: created?.number });
  }

  /**
   * Retries an ended execution: a new execution with the steps that `prepare` keeps, of the original version or of the
   * newest. `absent`: the execution or its workflow was deleted.
   */
  async startRetry(
    workspaceId: string,
    source: RetrySource,
    version: RetryVersion,
    start: RetryStart,
    prepare: RetryPreparation,
  ): Promise<'started' | 'absent'> {
    const own = { workspaceId, executionId: source.executionId };
    const before = await this.#options.definitions.get(
      source.versionId ? { ...own, versionId: source.versionId } : own,
    );
    for (;;) {
      const outcome = await this.#tryRetry(workspaceId, { source, before, version, start, prepare });
      if (outcome !== 'stale') return outcome;
    }
  }

  /** `stale`: the head of the workflow is old. */
  async #tryRetry(
    workspaceId: string,
    { source, before, version, start, prepare }: Retry,
  ): Promise<'started' | 'absent' | 'stale'> {
    const { database, definitions, line } = this.#options;
    const { executionId, requestId, by } = start;
    const head = source.workflowId ? await this.#activeHead(workspaceId, source.workflowId) : 'none';
    if (!head) return 'absent';
    const versionId = head !== 'none' && version === 'latest' ? head.versionId : (source.versionId ?? undefined);
    const isOther = versionId !== undefined && versionId !== source.versionId;
    const after = isOther ? await definitions.get({ workspaceId, executionId: source.executionId, versionId }) : before;
    const { trigger, keeping } = await prepare(before, after);
    const { outcome, limited, takesOver } = await createRetry(database, workspaceId, {
      id: executionId,
      ofId: source.executionId,
      ...(head === 'none' ? {} : { headVersionId: head.versionId }),
      ...(versionId === undefined ? {} : { versionId }),
      trigger,
      secrets: triggerSecrets(after.trigger, trigger ?? source.trigger),
      variables: after.variables,
      requestId,
      by,
      keeping,
      trace: traceHere(),
      most: this.#options.takeOverBatch,
    });
    if (outcome === 'absent' || outcome === 'stale') return outcome;
    // Accepted before, under the same Idempotency-Key: if its start was lost, the reconciler has it.
    if (outcome === 'exists' || outcome === 'held') return 'started';
    const starting =
      head === 'none'
        ? { executionId, workspaceId, source: source.source, name: source.name, plan: after.plan }
        : { ...startOf(head, start, after), versionId, limited };
    line.startBehind({ ...starting, labels: source.labels ?? undefined, progress: keeping.progress, takesOver });
    return 'started';
  }

  async #activeHead(workspaceId: string, workflowId: string): Promise<WorkflowHead | undefined> {
    const head = await readWorkflowHead(this.#options.database, workspaceId, workflowId);
    if (head && !head.isActive) throw new Problem('WORKFLOW_NOT_EXECUTABLE', 'The workflow is not active');
    return head;
  }

  /** Undefined where the head is old, or the execution exists already. */
  async #tryStart(head: WorkflowHead, start: Start, admit: Admission): Promise<boolean | undefined> {
    const { workspaceId, versionId, id: workflowId } = head;
    const definition = await this.#options.definitions.get({ workspaceId, executionId: start.executionId, versionId });
    const { trigger, isAwaited, by, secrets = [], labels: given, refusesCircle } = await admit(head, definition);
    if (refusesCircle) {
      const { name, projectId } = head;
      await this.#refuseCircle(workspaceId, { name, projectId, workflowId, calls: definition.calls });
    }
    const masked = [...secrets, ...triggerSecrets(definition.trigger, trigger)];
    const computing = computedLabels(this.#options.evaluation, { workspaceId, definition, trigger, secrets: masked });
    const computed = computing instanceof Promise ? await computing : computing;
    const labels = given ? { ...computed, ...withoutSecrets(given, masked) } : computed;
    const execution = {
      id: start.executionId,
      trigger,
      variables: definition.variables,
      requestId: start.requestId,
      startedBy: by ? { ...start.startedBy, by } : start.startedBy,
      secrets: masked,
      labels,
      trace: traceHere(),
      isAwaited,
    };
    const created = await createWorkflowExecution(
      this.#options.database,
      workspaceId,
      { workflowId, versionId },
      execution,
    );
    if (!created) return undefined;
    if (created.held) return true;
    this.#handOver(start.executionId, workflowId, trigger, created, execution.trace);
    const { timeoutMs, limited, number } = created;
    const starting = { ...startOf({ ...head, timeoutMs }, start, definition), limited, labels, number };
    if (isAwaited) return this.#options.line.start(starting);
    this.#options.line.startBehind(starting);
    return true;
  }

  /** Reads the newest versions of the other workflows; no statement if no node starts a workflow. */
  async #refuseCircle(workspaceId: string, start: CircleStart): Promise<void> {
    const circle = await workflowCircle(this.#options.database, this.#options.definitions, workspaceId, start);
    if (!circle) return;
    throw new Problem('WORKFLOW_NOT_EXECUTABLE', `${circle.nodeId}: workflows start each other: ${circle.path}`);
  }

  #handOver(
    executionId: string,
    workflowId: string | null,
    trigger: Json,
    created: CreatedExecution,
    trace?: Trace,
  ): void {
    const { name, number, startedAt, variables } = created;
    // Read with what opens them.
    if (holdSecretMarks(variables)) return;
    this.#options.handoff?.put({ executionId }, 0, {
      status: 'PENDING',
      name,
      number,
      startedAt,
      workflowId,
      lineageId: null,
      trace: trace ? traceText(trace) : null,
      trigger,
      variables,
      steps: {},
    });
  }

  async #isSame(head: WorkflowHead): Promise<boolean> {
    const now = await readWorkflowHead(this.#options.database, head.workspaceId, head.id);
    return now?.versionId === head.versionId && now.isActive === head.isActive;
  }
}

function withoutSecrets(labels: Labels, secrets: readonly KeptSecret[]): Labels {
  return maskSecrets(
    { ...labels },
    secrets.filter((each) => typeof each === 'string'),
  );
}

function startOf(
  head: WorkflowHead,
  { executionId }: Pick<Start, 'executionId'>,
  { plan }: CompiledDefinition,
): ExecutionStart {
  const { workspaceId, projectId, id: workflowId, versionId, name } = head;
  const timeoutMs = head.timeoutMs ?? undefined;
  return { executionId, workspaceId, projectId, workflowId, versionId, source: 'WORKFLOW', name, plan, timeoutMs };
}
