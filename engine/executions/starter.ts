import { LRUCache } from 'lru-cache';
import { v7 } from 'uuid';
import type { Credential } from '../../domain/access/credential.ts';
import type { KeptSecret } from '../../domain/execution/keptSecret.ts';
import type { Labels } from '../../domain/execution/labels.ts';
import { maskSecrets } from '../../domain/execution/maskSecrets.ts';
import { triggerSecrets } from '../../domain/execution/secretTexts.ts';
import type { StartedBy } from '../../domain/execution/startedBy.ts';
import type { Json } from '../../domain/json.ts';
import { Problem } from '../../domain/problem.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import type { Definition } from '../../domain/workflow/definition.ts';
import type { Database } from '../../prisma/client.ts';
import { createAdHocExecution, createWorkflowExecution } from '../../prisma/store/execution/createExecution.ts';
import type { UnstartedExecution } from '../../prisma/store/execution/reconcileQueries.ts';
import { takeBatches } from '../../prisma/store/queue/takeBatches.ts';
import { readWorkflowHead, type WorkflowHead } from '../../prisma/store/workflow/findWorkflow.ts';
import type { DraftedWorkflow } from '../../prisma/store/workflowDraft/drafts.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import { traceHere } from '../tracing/work.ts';
import { computedLabels, type Labelled, lateLabels } from './computedLabels.ts';
import type { DefinitionCache } from './definitionCache.ts';
import { executionStartOf, startOfWorkflow } from './executionStart.ts';
import type { StartLine } from './startLine.ts';
import { type Retry, type RetryOutcome, startRetry } from './startRetry.ts';
import { type CircleStart, workflowCircle } from './workflowCircle.ts';

export interface StarterOptions {
  database: Database;
  line: StartLine;
  definitions: DefinitionCache;
  evaluation: Evaluation;
  /** Maximum bytes of data and metadata of the items of one execution. */
  batchBytes: number;
  /** Ended iterations that one statement copies for a retry. */
  takeOverBatch: number;
}

export interface Start {
  /** A repeated id starts nothing new. */
  executionId: string;
  requestId: string;
  startedBy: StartedBy;
  /** The people behind it; undefined: those of `startedBy`. */
  starters?: readonly string[] | undefined;
}

/** A workflow as this process knows it. */
export interface FoundWorkflow {
  head: WorkflowHead;
  definition: CompiledDefinition;
  /** A cached workflow may be too old to start, or to refuse a start. */
  isCached: boolean;
}

/** A start that the caller has checked against the workflow. */
export interface Admitted {
  trigger: Json;
  /** The caller waits for the execution, so it needs to know whether the engine has it. */
  isAwaited: boolean;
  /** The credential, if only the workflow determines whether one is required. */
  by?: Credential | undefined;
  /** Further texts to mask, in addition to secret fields. */
  secrets?: readonly KeptSecret[];
  /** Further labels; they take precedence over the definition's. */
  labels?: Labels | undefined;
  /** Refuses workflows that start each other in a circle; otherwise the step that closes it fails. */
  refusesCircle?: boolean;
}

/**
 * `delayed`: accepted, but the engine does not have it yet. `stale`: not accepted, because the workflow was from the
 * cache and refused the start, or has changed; look for it in the rows.
 */
export type StartOutcome = 'started' | 'delayed' | 'stale';

const HEADS = 5_000;

/**
 * Accepts executions: writes the row, which is the acceptance, then starts the workflow. If the engine is unavailable,
 * the line starts it later, and a waiting caller gets `delayed`. releaser.ts starts held executions. The cached
 * head of a workflow is checked by the statement that writes the row, so a start never runs an old version.
 */
export class Starter {
  readonly #options: StarterOptions;
  readonly #heads = new LRUCache<string, WorkflowHead>({ max: HEADS });

  constructor(options: StarterOptions) {
    this.#options = options;
  }

  /**
   * Returns undefined if there is no such workflow. `workspaceId`: undefined for any. After a `stale` start, call it
   * with `rows`:
   *
   *   for (let found = await look(…); found; found = await look(…, 'rows')) {
   *     const outcome = await start(found, …);
   *     if (outcome !== 'stale') return outcome;
   *   }
   */
  async look(
    workspaceId: string | undefined,
    workflowId: string,
    from: 'cache' | 'rows' = 'cache',
  ): Promise<FoundWorkflow | undefined> {
    const { database, definitions } = this.#options;
    const known = from === 'cache' ? this.#heads.get(workflowId) : undefined;
    const cached = workspaceId === undefined || known?.workspaceId === workspaceId ? known : undefined;
    const head = cached ?? (await readWorkflowHead(database, workspaceId, workflowId));
    if (!head) return undefined;
    if (!cached) this.#heads.set(workflowId, head);
    const { workspaceId: owner, versionId } = head;
    const definition = await definitions.get({ workspaceId: owner, executionId: workflowId, versionId });
    return { head, definition, isCached: cached !== undefined };
  }

  /** `admitted` may reject with a Problem: the workflow refuses the start. */
  async start(found: FoundWorkflow, start: Start, admitted: Admitted | Promise<Admitted>): Promise<StartOutcome> {
    try {
      return await this.#start(found, start, await admitted);
    } catch (error) {
      return staleIfCached(found)(error);
    }
  }

  /** Starts an execution whose row exists, without a waiting caller. Returns, and calls `whenKnown`, like StartLine. */
  async startAccepted(row: UnstartedExecution, whenKnown?: () => void): Promise<boolean> {
    const { line } = this.#options;
    return !line.has(row.executionId) && line.startInBackground(await executionStartOf(this.#options, row), whenKnown);
  }

  /** Starts up to `most` batches of a queue's items. Returns how many; fewer if no items or no room are left. */
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
      const { number } = created;
      const labels = labelled?.get(executionId);
      line.startInBackground({
        ...startOfWorkflow({ ...head, timeoutMs }, { executionId }, definition),
        limited,
        labels,
        number,
      });
    }
    return taken.length;
  }

  /** `definition` has been validated. */
  async startAdHoc(workspaceId: string, name: string, definition: Definition, start: Start): Promise<boolean> {
    const { database, definitions } = this.#options;
    const { executionId, requestId, startedBy } = start;
    const { plan, variables } = await definitions.add(workspaceId, executionId, definition);
    const trace = traceHere();
    const named = { id: executionId, requestId, startedBy, name, trace };
    const execution = { ...named, trigger: {}, variables, definition, isAwaited: true };
    const created = await createAdHocExecution(database, workspaceId, execution);
    return this.#options.line.start({ executionId, workspaceId, source: 'SDK', name, plan, number: created?.number });
  }

  /** Runs a checked draft once, with its own definition. No pause and no limit of the workflow holds it. */
  async startDraft(
    workspaceId: string,
    { workflow, definition }: { workflow: DraftedWorkflow; definition: Definition },
    start: Start,
    { trigger, labels: given }: Pick<Admitted, 'trigger' | 'labels'>,
  ): Promise<void> {
    const { database, definitions, line } = this.#options;
    const { executionId, requestId, startedBy } = start;
    const { id: workflowId, projectId, name, timeoutMs } = workflow;
    const compiled = await definitions.compile(workspaceId, definition);
    await this.#refuseCircle(workspaceId, { name, projectId, workflowId, calls: compiled.calls });
    const secrets = triggerSecrets(compiled.trigger, trigger);
    const labels = await this.#labels({ workspaceId, definition: compiled, trigger, secrets }, given);
    const started = {
      id: executionId,
      requestId,
      startedBy,
      name,
      trigger,
      variables: compiled.variables,
      secrets,
      labels,
    };
    const execution = { ...started, definition, workflow, trace: traceHere() };
    const created = await createAdHocExecution(database, workspaceId, execution);
    // A repeated request: the draft may be another one by now.
    if (!created) return;
    const { plan } = await definitions.add(workspaceId, executionId, definition);
    const { number } = created;
    const owner = { workspaceId, projectId, workflowId, source: 'WORKFLOW' as const, name };
    line.startInBackground({ ...owner, executionId, number, plan, labels, timeoutMs: timeoutMs ?? undefined });
  }

  startRetry(workspaceId: string, retry: Retry): Promise<RetryOutcome> {
    return startRetry(this.#options, workspaceId, retry);
  }

  async #start({ head, definition, isCached }: FoundWorkflow, start: Start, admitted: Admitted): Promise<StartOutcome> {
    const { workspaceId, versionId, id: workflowId } = head;
    const { trigger, isAwaited, by, secrets = [], labels: given, refusesCircle } = admitted;
    if (refusesCircle) {
      const { name, projectId } = head;
      await this.#refuseCircle(workspaceId, { name, projectId, workflowId, calls: definition.calls });
    }
    const masked = [...secrets, ...triggerSecrets(definition.trigger, trigger)];
    const labels = await this.#labels({ workspaceId, definition, trigger, secrets: masked }, given);
    const execution = {
      id: start.executionId,
      trigger,
      variables: definition.variables,
      requestId: start.requestId,
      startedBy: by ? { ...start.startedBy, by } : start.startedBy,
      starters: start.starters,
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
    // Accepted before with the same Idempotency-Key: if its start was lost, the reconciler has it.
    if (!created) return !isCached && (await this.#isSame(head)) ? 'started' : 'stale';
    if (created.held) return 'started';
    const { timeoutMs, limited, number } = created;
    const starting = { ...startOfWorkflow({ ...head, timeoutMs }, start, definition), limited, labels, number };
    if (isAwaited) return (await this.#options.line.start(starting)) ? 'started' : 'delayed';
    this.#options.line.startInBackground(starting);
    return 'started';
  }

  async #labels(labelled: Labelled, given: Labels | undefined): Promise<Labels> {
    const computed = await computedLabels(this.#options.evaluation, labelled);
    return given ? { ...computed, ...withoutSecrets(given, labelled.secrets) } : computed;
  }

  /** Reads the newest versions of the other workflows, without a statement if no node starts a workflow. */
  async #refuseCircle(workspaceId: string, start: CircleStart): Promise<void> {
    const circle = await workflowCircle(this.#options.database, this.#options.definitions, workspaceId, start);
    if (!circle) return;
    throw new Problem('WORKFLOW_NOT_EXECUTABLE', `${circle.nodeId}: workflows start each other: ${circle.path}`);
  }

  async #isSame(head: WorkflowHead): Promise<boolean> {
    const now = await readWorkflowHead(this.#options.database, head.workspaceId, head.id);
    return now?.versionId === head.versionId && now.isActive === head.isActive;
  }
}

/** Returns a handler of refusals: one by a cached workflow may be wrong, so it is `stale`. */
export function staleIfCached({ isCached }: FoundWorkflow): (error: unknown) => 'stale' {
  return (error) => {
    if (isCached && error instanceof Problem) return 'stale';
    throw error;
  };
}

function withoutSecrets(labels: Labels, secrets: readonly KeptSecret[]): Labels {
  return maskSecrets(
    { ...labels },
    secrets.filter((each) => typeof each === 'string'),
  );
}
