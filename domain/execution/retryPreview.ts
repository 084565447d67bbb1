import { Problem } from '../problem.ts';
import { isLoop } from '../workflow/definition.ts';
import type { Plan } from '../workflow/plan.ts';
import type { PlannedDefinition } from '../workflow/planOf.ts';
import { type Earlier, keptByRetry, type RetryRequest, rulesOfRetry } from './executionRetry.ts';
import type { KeepRule } from './keptWork.ts';
import { topNode } from './resume.ts';

/** A retry's effect on the new version's nodes, by id. A loop represents its inner nodes unless they are new. */
export interface RetryPreview {
  /** Their steps are reused, loops with all their iterations. */
  kept: string[];
  /** Loops that continue: successful iterations are kept, the others run again. */
  goesOn: string[];
  /** They had begun and run again. */
  again: string[];
  added: string[];
}

/** The part of the preview that is certain if some loops could not be searched. */
export interface SurePreview extends RetryPreview {
  /** They had begun. The unsearched loops decide whether they are kept. */
  unsure: string[];
}

/** Determines whether ended iterations of a top-level loop run again: changed inner nodes, or the retry's first one. */
export interface ReopeningPlaces {
  loopId: string;
  /** An iteration that had reached one of them runs again. */
  nodes: string[];
  /** Every iteration of these runs again; the loop itself may be among them. */
  loops: string[];
  /** Failed items of these run again if the loop completed; the loop itself is among them. */
  failed: string[];
}

/** Returns the places to search in each top-level loop; loops without any are omitted. */
export function reopeningPlaces(
  earlier: Pick<Earlier, 'status'>,
  request: RetryRequest,
  before: PlannedDefinition,
  after: PlannedDefinition,
): ReopeningPlaces[] {
  const found = rulesOfRetry(earlier, request, before, after);
  if (!found?.reachesInside) return [];
  const places = new Map<string, ReopeningPlaces>();
  const placesOf = (loopId: string) => {
    const own = places.get(loopId) ?? { loopId, nodes: [], loops: [], failed: [] };
    places.set(loopId, own);
    return own;
  };
  for (const rule of found.rules) addPlace(rule, after.plan, placesOf);
  if (request.failedItems !== undefined) {
    // These loops ran, so their place in the earlier version counts.
    const loops = before.plan.nodes.filter(({ type }) => isLoop(type));
    for (const { id } of loops) placesOf(topNode(before.plan, id)).failed.push(id);
  }
  return [...places.values()];
}

function addPlace(
  { id, keep, reshaped, otherOutput }: KeepRule,
  plan: Plan,
  placesOf: (loopId: string) => ReopeningPlaces,
): void {
  const top = topNode(plan, id);
  if ((!keep || otherOutput) && top !== id) placesOf(top).nodes.push(id);
  if (reshaped) placesOf(top).loops.push(id);
}

/**
 * Returns what a retry would keep, by the rule that decides it at the start (keptByRetry). `reopened`: top-level loops
 * with iterations at the places of reopeningPlaces. Throws the Problem with which the start would be rejected.
 */
export function retryPreview(
  earlier: Pick<Earlier, 'status' | 'steps'>,
  request: RetryRequest,
  before: PlannedDefinition,
  after: PlannedDefinition,
  reopened: ReadonlySet<string>,
): RetryPreview {
  const found = rulesOfRetry(earlier, request, before, after);
  const { kept, opened } =
    found === undefined ? { kept: [], opened: [] } : keptByRetry(earlier, request, before, after, found, reopened);
  const begun = new Set(earlier.steps.map(({ nodeId }) => nodeId));
  const isKept = new Set([...kept, ...opened]);
  const ids = after.plan.nodes.map(({ id }) => id);
  return {
    kept,
    goesOn: opened,
    again: ids.filter((id) => begun.has(id) && before.nodes.has(id) && !isKept.has(id)),
    added: ids.filter((id) => !before.nodes.has(id)),
  };
}

/** Returns the certain part; `unsure` are loops that may have such iterations. Undefined if they decide a rejection. */
export function surePreview(
  earlier: Pick<Earlier, 'status' | 'steps'>,
  request: RetryRequest,
  before: PlannedDefinition,
  after: PlannedDefinition,
  reopened: ReadonlySet<string>,
  unsure: ReadonlySet<string>,
): SurePreview | undefined {
  const of = (loops: ReadonlySet<string>) => retryPreview(earlier, request, before, after, loops);
  if (unsure.size === 0) return { ...of(reopened), unsure: [] };
  const [most, least] = [reopened, new Set([...reopened, ...unsure])].map((loops) => orRefusal(() => of(loops)));
  if (most instanceof Problem && least instanceof Problem) throw most;
  if (most === undefined || least === undefined || most instanceof Problem || least instanceof Problem)
    return undefined;
  // If more loops run again, fewer steps are kept. Steps that both extremes keep are therefore always kept.
  const both = (group: 'kept' | 'goesOn' | 'again') => most[group].filter((id) => least[group].includes(id));
  const sure = { kept: both('kept'), goesOn: both('goesOn'), again: both('again') };
  const known = new Set([...sure.kept, ...sure.goesOn, ...sure.again]);
  const begun = [...new Set([...most.kept, ...most.goesOn, ...most.again])];
  return { ...sure, added: most.added, unsure: begun.filter((id) => !known.has(id)) };
}

function orRefusal(work: () => RetryPreview): RetryPreview | Problem {
  try {
    return work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
