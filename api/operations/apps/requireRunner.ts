import { needsRunner } from '../../../domain/app/customRuns.ts';
import type { RunsOn } from '../../../domain/app/runsOn.ts';
import { Problem } from '../../../domain/problem.ts';

/** Throws RUNNER_OFF for an app of functions or a piece if the operator has turned the runner off. */
export function requireRunner({ RUNNER }: { RUNNER: boolean }, runs: RunsOn): void {
  if (RUNNER || !needsRunner(runs)) return;
  throw new Problem('RUNNER_OFF', 'Functions and pieces do not run in this deployment (RUNNER)');
}
