import type { ActionManifest } from './manifest.ts';
import type { RunsOn } from './runsOn.ts';

/** The calls of these apps contain the idempotency key. */
const KEYED: ReadonlySet<RunsOn['on']> = new Set(['worker', 'http', 'function']);

/**
 * Whether a call may be made again although its answer was lost: a second one does no harm, or has the idempotency key
 * by which its receiver recognizes it. `runs`: of an app of the workspace.
 */
export function mayRepeat(
  action: Pick<ActionManifest, 'repeatable' | 'usesKey'> | undefined,
  runs: RunsOn | undefined,
): boolean {
  return action?.repeatable === true || action?.usesKey === true || (runs !== undefined && KEYED.has(runs.on));
}
