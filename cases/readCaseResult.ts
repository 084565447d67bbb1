import type { CoveredStep } from '../domain/case/coverage.ts';
import type { Ran } from '../domain/case/judge.ts';
import { type ExecutionStatus, isTerminal, type StepStatus } from '../domain/execution/status.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import { executionsOfCase } from './caseExecutions.ts';
import type { CasePlatform } from './casePlatform.ts';
import { type CaseRun, placeIn } from './caseRun.ts';

export interface CaseSeen {
  ran: Ran;
  /** The case's execution and all that it started, with the steps that began. */
  executions: { slug: string; steps: CoveredStep[] }[];
  /** Why sub-workflows and error workflows of the case failed. */
  otherFailures: string[];
}

/** Reads the case from the database, as its users would see it. */
export async function readCaseResult(run: CaseRun, { parts }: CasePlatform): Promise<CaseSeen> {
  const { database } = parts;
  const all = await executionsOfCase(database, run.executionId);
  const execution = await database.execution.findUniqueOrThrow({ where: { id: run.executionId } });
  const rows = await database.executionStep.findMany({
    where: { executionId: { in: all.map(({ id }) => id) }, startedAt: { not: null } },
    orderBy: [{ startedAt: 'asc' }, { position: 'asc' }],
  });
  const own = rows.filter(({ executionId }) => executionId === run.executionId);
  const status = execution.status as ExecutionStatus;
  const output = (execution.output ?? null) as Json;
  const isBad = status === 'FAILED' || status === 'TIMED_OUT';
  const error = isBad ? { code: execution.errorCode, message: execution.statusMessage } : null;
  const steps = Object.fromEntries(
    own.map(({ nodeId, status, attempt, handle, input, output, error }) => [
      nodeId,
      { status, attempt, handle, input, output, error } as JsonObject,
    ]),
  );
  const ran: Ran = {
    status,
    statusMessage: isTerminal(status) ? execution.statusMessage : await openText(run, parts.database),
    path: own.filter(({ iteration }) => iteration === '').map(({ nodeId }) => nodeId),
    output,
    calls: Object.fromEntries(
      Object.keys(run.given.expect.calls ?? {}).map((text) => [
        text,
        run.callsOf(placeIn(run.slug, run.ownNodes, text)),
      ]),
    ),
    seen: { output, steps, calls: run.calls, durationMs: run.durationMs, error: error as Json },
  };
  const executions = all.map(({ id, slug }) => ({
    slug,
    steps: rows
      .filter(({ executionId }) => executionId === id)
      .map(({ nodeId, status, handle }) => ({ nodeId, status: status as StepStatus, handle })),
  }));
  const otherFailures = all
    .filter(({ id, status }) => id !== run.executionId && (status === 'FAILED' || status === 'TIMED_OUT'))
    .map(({ slug, status, statusMessage, failedNodeId }) => {
      const at = failedNodeId === null ? '' : ` at ${failedNodeId}`;
      return `${slug} ended ${status}${at}: ${statusMessage ?? 'without a reason'}`;
    });
  return { ran, executions, otherFailures };
}

async function openText(run: CaseRun, database: CasePlatform['parts']['database']): Promise<string | null> {
  const open = await database.pendingInput.findMany({
    where: { executionId: run.executionId, status: 'OPEN' },
    select: { nodeId: true },
  });
  const names = [...new Set(open.map(({ nodeId }) => nodeId))];
  return names.length === 0 ? null : `nobody answers ${names.join(', ')}`;
}
