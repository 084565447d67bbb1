import type { Credential } from '../../domain/access/credential.ts';
import type { Keeping } from '../../domain/execution/executionRetry.ts';
import { triggerSecrets } from '../../domain/execution/secretTexts.ts';
import type { Json } from '../../domain/json.ts';
import { Problem } from '../../domain/problem.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import type { Database } from '../../prisma/client.ts';
import { createRetry } from '../../prisma/store/execution/createRetry.ts';
import type { LiveRetry, RetrySource } from '../../prisma/store/execution/readRetrySource.ts';
import { readWorkflowHead, type WorkflowHead } from '../../prisma/store/workflow/findWorkflow.ts';
import { traceHere } from '../tracing/work.ts';
import type { DefinitionCache } from './definitionCache.ts';
import { startOfWorkflow } from './executionStart.ts';
import type { StartLine } from './startLine.ts';

interface RetryParts {
  database: Database;
  line: StartLine;
  definitions: DefinitionCache;
  takeOverBatch: number;
}

export type RetryVersion = 'original' | 'latest';

export interface RetryStart {
  /** A repeated id starts nothing new. */
  executionId: string;
  requestId: string;
  by: Credential;
}

export interface Retry {
  source: RetrySource;
  version: RetryVersion;
  start: RetryStart;
  /** Accept it even if another retry has completed. */
  again: boolean;
  /** Returns what the retry reuses. Throws a Problem if it is refused. */
  prepare(before: CompiledDefinition, after: CompiledDefinition): Promise<PreparedRetry>;
}

interface PreparedRetry {
  keeping: Keeping;
  /** Undefined: that of the retried execution. */
  trigger: Json | undefined;
}

export type RetryOutcome = 'started' | 'absent' | LiveRetry;

/** `absent`: the execution or its workflow was deleted. A LiveRetry: the retry that excludes this one. */
export async function startRetry(parts: RetryParts, workspaceId: string, retry: Retry): Promise<RetryOutcome> {
  const { executionId, versionId } = retry.source;
  const own = { workspaceId, executionId };
  const before = await parts.definitions.get(versionId ? { ...own, versionId } : own);
  for (;;) {
    const outcome = await tryRetry(parts, workspaceId, retry, before);
    if (outcome !== 'stale') return outcome;
  }
}

/** `stale`: the cached head of the workflow is old. */
async function tryRetry(
  { database, definitions, line, takeOverBatch }: RetryParts,
  workspaceId: string,
  { source, version, start, again, prepare }: Retry,
  before: CompiledDefinition,
): Promise<RetryOutcome | 'stale'> {
  const { executionId, requestId, by } = start;
  const head = await headOf(database, workspaceId, source);
  if (!head) return 'absent';
  const versionId = head !== 'none' && version === 'latest' ? head.versionId : (source.versionId ?? undefined);
  const isOther = versionId !== undefined && versionId !== source.versionId;
  const after = isOther ? await definitions.get({ workspaceId, executionId: source.executionId, versionId }) : before;
  const { trigger, keeping } = await prepare(before, after);
  const { outcome, limited, takesOver, liveRetry } = await createRetry(database, workspaceId, {
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
    again,
    trace: traceHere(),
    most: takeOverBatch,
  });
  if (outcome === 'retried' && liveRetry !== null) return liveRetry;
  if (outcome === 'retried' || outcome === 'absent') return 'absent';
  if (outcome === 'stale') return outcome;
  // Accepted before with the same Idempotency-Key: if its start was lost, the reconciler has it.
  if (outcome === 'exists' || outcome === 'held') return 'started';
  const starting =
    head === 'none'
      ? { ...ownerOf(source), executionId, workspaceId, plan: after.plan }
      : { ...startOfWorkflow(head, start, after), versionId, limited };
  line.startInBackground({ ...starting, labels: source.labels ?? undefined, progress: keeping.progress, takesOver });
  return 'started';
}

/** The owner of an ad-hoc run or of a test of a draft. */
function ownerOf({ source, name, workflowId, projectId, timeoutMs }: RetrySource) {
  const workflow = { workflowId: workflowId ?? undefined, projectId: projectId ?? undefined };
  return { source, name, ...workflow, timeoutMs: timeoutMs ?? undefined };
}

/** `none` if it has its own definition; undefined if its workflow was deleted. */
async function headOf(
  database: Database,
  workspaceId: string,
  { workflowId, versionId, isOrphan }: RetrySource,
): Promise<WorkflowHead | 'none' | undefined> {
  if (isOrphan) return undefined;
  if (workflowId === null || versionId === null) return 'none';
  const head = await readWorkflowHead(database, workspaceId, workflowId);
  if (head && !head.isActive) throw new Problem('WORKFLOW_NOT_EXECUTABLE', 'The workflow is not active');
  return head;
}
