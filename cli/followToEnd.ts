import type { ExecutionEvent, Perdure } from '#client';
import { EXIT, exitCodeOfStatus } from './exitCode.ts';
import { type Output, printable } from './output.ts';
import { type SeenStep, type StepChange, StepChanges } from './stepChanges.ts';
import { StepTree } from './stepTree.ts';

interface FollowTo {
  out: Output;
  signal: AbortSignal;
  until?: 'ended' | 'needsInput';
  timeoutMs?: number | undefined;
}

/** Shows a live tree on a terminal, otherwise a line of JSON for each change, or with --json only the end. */
export async function followToEnd(
  client: Perdure,
  executionId: string,
  { out, signal, until = 'ended', timeoutMs }: FollowTo,
): Promise<number> {
  const limits = timeoutMs === undefined ? [signal] : [signal, AbortSignal.timeout(timeoutMs)];
  const changes = new StepChanges();
  const tree = out.isLive ? new StepTree(out) : undefined;
  out.note(`execution ${executionId}`);
  for await (const event of client.followExecution(executionId, { signal: AbortSignal.any(limits) })) {
    if (event.type === 'loop.progress') {
      tree?.loop(event);
      continue;
    }
    await printOmittedSteps(client, event, changes, executionId);
    const steps = changes.of(event.executionPath);
    if (tree) tree.draw(event);
    else showChanges(out, event, steps);
    if (event.type === 'execution.finished') {
      end(event, out);
      return exitCodeOfStatus(event.status);
    }
    if (until === 'needsInput' && asks(out, event)) return EXIT.personNeeded;
  }
  return EXIT.failed;
}

type Snapshot = Extract<ExecutionEvent, { executionPath: unknown }>;

function showChanges(out: Output, { executionId, revision }: Snapshot, steps: StepChange[]): void {
  if (out.form === 'json') return;
  for (const step of steps) printed(out, { executionId, revision, ...step });
}

/** Whether the execution waits for input; prints the question. */
function asks(out: Output, event: Snapshot): boolean {
  const question = 'pendingInput' in event ? event.pendingInput[0] : undefined;
  if (question === undefined) return false;
  const { nodeId, title = null } = question;
  if (out.isLive) out.line(`Waiting for input: ${printable(title ?? nodeId)}`);
  else printed(out, { type: 'needsInput', executionId: event.executionId, nodeId, title });
  return true;
}

/** Prints the steps that the snapshot of a large execution omits. */
async function printOmittedSteps(
  client: Perdure,
  event: Snapshot,
  changes: StepChanges,
  executionId: string,
): Promise<void> {
  if (event.type !== 'execution.finished' || event.stepsLeftOut === undefined) return;
  for await (const step of client.paginate('listExecutionSteps', { path: { executionId }, query: { limit: 1000 } })) {
    changes.note(step as SeenStep);
  }
}

function end(event: Extract<ExecutionEvent, { type: 'execution.finished' }>, out: Output): void {
  const { executionId, status, statusMessage, output, outputLink } = event;
  if (!out.isLive) {
    printed(out, { type: 'ended', executionId, status, statusMessage, output, ...(outputLink ? { outputLink } : {}) });
    return;
  }
  const why = statusMessage === null ? '' : ` ${printable(statusMessage)}`;
  out.line(`${status}${why}\noutput: ${outputLink ?? JSON.stringify(output)}`);
}

function printed(out: Output, event: object): void {
  out.line(out.form === 'json' ? JSON.stringify(event, null, 2) : JSON.stringify(event));
}
