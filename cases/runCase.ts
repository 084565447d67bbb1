import { setTimeout as sleep } from 'node:timers/promises';
import type { CoverageOf } from '../domain/case/coverage.ts';
import { type CaseFailure, failuresOf } from '../domain/case/judge.ts';
import { isTerminal } from '../domain/execution/status.ts';
import { isJsonObject, type Json } from '../domain/json.ts';
import { Problem } from '../domain/problem.ts';
import type { TriggerNode } from '../domain/workflow/definition.ts';
import { startInput } from '../domain/workflow/startInput.ts';
import { endOnRequest } from '../engine/executions/endOnRequest.ts';
import type { Admitted, FoundWorkflow } from '../engine/executions/starter.ts';
import type { CaseEvents } from './caseEvents.ts';
import { openOfCase } from './caseExecutions.ts';
import type { CasePlatform } from './casePlatform.ts';
import type { CaseProjects } from './caseProjects.ts';
import type { CaseRun } from './caseRun.ts';
import { readCaseResult } from './readCaseResult.ts';

/** Pause between two checks of executions that the case started and does not wait for. */
const LOOK_MS = 20;

export interface CaseParts {
  platform: CasePlatform;
  projects: CaseProjects;
  events: CaseEvents;
  coverage: ReadonlyMap<string, CoverageOf>;
}

/** Runs a case to its end. Throws if the project cannot be applied. */
export async function runCase(run: CaseRun, parts: CaseParts): Promise<CaseFailure[]> {
  const { platform, projects, events, coverage } = parts;
  const project = await projects.of((run.given.variables ?? {}) as Record<string, Json>);
  const workflowId = project.get(run.slug);
  if (workflowId === undefined) throw new Error(`The project has no workflow ${run.slug}`);
  const { feed } = platform.parts;
  const stopListening = feed.subscribe(run.executionId, ({ status }) => {
    if (!isTerminal(status)) return;
    run.ended();
    run.end();
  });
  try {
    const refused = await platform.holdTime(async () => {
      const now = run.given.now === undefined ? Date.now() : Date.parse(run.given.now);
      run.clock.reach(now);
      await events.begin(platform, run);
      return start(run, platform, workflowId, new Date(now));
    });
    if (refused !== undefined) return [{ path: 'input', message: refused }];
    await run.over;
    await othersOver(run, platform);
    const seen = await readCaseResult(run, platform);
    for (const { slug, steps } of seen.executions) coverage.get(slug)?.add(steps);
    const failures = [...run.failures, ...failuresOf(run.given.expect, seen.ran)];
    // Otherwise nothing would say why an error workflow made no call.
    const reasons = failures.length === 0 ? [] : seen.otherFailures.map((message) => ({ path: 'expect', message }));
    return [...failures, ...reasons];
  } finally {
    stopListening();
    await endOpen(run, platform);
  }
}

/** Returns why it did not start, or undefined. */
async function start(
  run: CaseRun,
  { parts }: CasePlatform,
  workflowId: string,
  now: Date,
): Promise<string | undefined> {
  const { executionId, workspaceId } = run;
  const begun = { executionId, requestId: executionId, startedBy: { type: 'workflow' } as const };
  try {
    let found = await parts.starter.look(workspaceId, workflowId);
    for (; found; found = await parts.starter.look(workspaceId, workflowId, 'rows')) {
      const outcome = await parts.starter.start(found, begun, admit(found, (run.given.input ?? {}) as Json, now));
      if (outcome === 'started') return undefined;
      if (outcome === 'delayed') break;
    }
    return 'The engine did not accept the execution';
  } catch (error) {
    if (error instanceof Problem) return `input: ${error.message}`;
    throw error;
  }
}

async function admit({ definition }: FoundWorkflow, input: Json, now: Date): Promise<Admitted> {
  return { trigger: triggerValue(definition.trigger, input, now), isAwaited: true };
}

/** Throws a Problem. The input of webhooks, queues and polls is passed on unchanged. */
function triggerValue(trigger: TriggerNode, input: Json, now: Date): Json {
  if (trigger.type !== 'manual' && trigger.type !== 'schedule') return input;
  if (!isJsonObject(input)) throw new Problem('VALIDATION_FAILED', 'expected an object');
  const started = startInput(trigger, input, now);
  // Times that the case gives for a schedule take precedence.
  if (started.trigger) return trigger.type === 'schedule' ? { ...started.trigger, ...input } : started.trigger;
  const reasons = started.problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new Problem('VALIDATION_FAILED', started.refusal ?? reasons);
}

/** Waits for error workflows, and for executions that nothing awaits, until they have ended or wait indefinitely. */
async function othersOver(run: CaseRun, { parts }: CasePlatform): Promise<void> {
  if (!run.hasEnded) return;
  for (;;) {
    const open = await openOfCase(parts.database, run.executionId);
    if (open.every(({ status }) => status === 'NEEDS_INPUT')) return;
    await sleep(LOOK_MS);
  }
}

async function endOpen(run: CaseRun, { parts }: CasePlatform): Promise<void> {
  const { workspaceId } = run;
  for (const { id } of await openOfCase(parts.database, run.executionId)) {
    await endOnRequest(parts, { workspaceId, executionId: id, how: 'terminate' });
  }
}
