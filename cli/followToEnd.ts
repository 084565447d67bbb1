import type { ExecutionEvent, Perdure } from '#client';
import { EXIT, exitCodeOfStatus } from './exitCode.ts';
import { type Output, printable } from './output.ts';
import { type SeenStep, StepChanges } from './stepChanges.ts';
import { StepTree } from './stepTree.ts';

interface FollowTo {
  out: Output;
  signal: AbortSignal;
  until?: 'ended' | 'needsInput';
  timeoutMs?: number | undefined;
}

/** Shows an execution to its end: a tree that changes in place on a terminal, and otherwise a line for each change. */
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
    await leftOut(client, event, changes, executionId);
    const steps = changes.of(event.executionPath);
    if (tree) tree.draw(event);
    else for (const step of steps) out.event({ executionId, revision: event.revision, ...step }, lineOf(step));
    if (event.type === 'execution.finished') {
      end(event, out);
      return exitCodeOfStatus(event.status);
    }
    const [question] = event.pendingInput;
    if (until === 'needsInput' && question !== undefined) {
      const { nodeId, title } = question;
      out.event({ executionId, type: 'needsInput', nodeId }, `A person is asked: ${printable(title ?? nodeId)}`);
      return EXIT.personNeeded;
    }
  }
  return EXIT.failed;
}

/** A snapshot of a large execution leaves steps out: they get their lines all the same. */
async function leftOut(
  client: Perdure,
  event: Extract<ExecutionEvent, { executionPath: unknown }>,
  changes: StepChanges,
  executionId: string,
): Promise<void> {
  if (event.type !== 'execution.finished' || event.stepsLeftOut === undefined) return;
  for await (const step of client.paginate('listExecutionSteps', { path: { executionId }, query: { limit: 1000 } })) {
    changes.note(step as SeenStep);
  }
}

function end(event: Extract<ExecutionEvent, { type: 'execution.finished' }>, out: Output): void {
  const { status, statusMessage, output, outputLink } = event;
  const shown = outputLink ? `output: ${outputLink}` : `output: ${JSON.stringify(output)}`;
  const why = statusMessage === null ? '' : ` ${printable(statusMessage)}`;
  out.event(
    { type: 'ended', status, statusMessage, output, ...(outputLink ? { outputLink } : {}) },
    `${status}${why}\n${shown}`,
  );
}

function lineOf({ label, status, attempt, iteration, error }: SeenStep): string {
  const where = iteration.length === 0 ? '' : ` [${iteration.map(({ index }) => index + 1).join('.')}]`;
  const again = attempt > 1 ? `, attempt ${attempt}` : '';
  return `${status.padEnd(11)} ${printable(label)}${where}${again}${error ? `: ${printable(`${error.code} ${error.message}`)}` : ''}`;
}
