/**
 * Rules by which a retry takes over work inside loops. The database applies them to all iterations at once
 * (take_over_steps in the migration), since there may be 100,000. At the top, the reducer does the same (resume.ts).
 */
import type { JsonObject } from '../json.ts';
import { isLoop } from '../workflow/definition.ts';
import type { Plan } from '../workflow/plan.ts';
import { successors } from '../workflow/planIndex.ts';
import type { Unchanged } from '../workflow/unchangedNodes.ts';

export interface KeepRule {
  id: string;
  /** Successful steps are kept unless a step before them runs again. If false, they always run again. */
  keep: boolean;
  /** Its failure does not end the scope. */
  handled: boolean;
  stop: boolean;
  loop: 'forEach' | 'repeat' | null;
  /** Nodes or edges inside the loop were added or removed: no iteration is reused as a whole. */
  reshaped: boolean;
  /** The loop now produces a different output, which is computed again even if the loop completed. */
  otherOutput: boolean;
  /** Later nodes in the same loop scope, which run again if this one does. */
  after: string[];
  /** The inputs of a resumed loop that differ from its original ones. */
  input: JsonObject;
}

/** Returns a rule for each node. `unchanged` is set if another version runs; the retry begins at the node `again`. */
export function keepRules(plan: Plan, unchanged: Unchanged | undefined, again: string | undefined): KeepRule[] {
  const behind = new Map(plan.nodes.map(({ id }) => [id, nodesBehind(plan, id)]));
  // A new node has no earlier step, so the database cannot detect that the nodes after it run again.
  const renewed = new Set<string>();
  for (const { id } of plan.nodes) {
    if (unchanged && !unchanged.led.has(id)) for (const each of behind.get(id) ?? []) renewed.add(each);
  }
  return plan.nodes.map(({ id, type, onError, parentId }) => ({
    id,
    keep:
      id !== again &&
      (unchanged === undefined || unchanged.nodes.has(id)) &&
      (parentId === undefined || !renewed.has(id)),
    handled: onError !== undefined,
    stop: type === 'stop',
    loop: isLoop(type) ? type : null,
    reshaped: unchanged?.reshaped.has(id) ?? false,
    otherOutput: unchanged?.otherOutput.has(id) ?? false,
    after: parentId === undefined ? [] : [...(behind.get(id) ?? [])],
    input: unchanged?.ways.get(id) ?? {},
  }));
}

export function reachesInside(plan: Plan, rules: readonly KeepRule[]): boolean {
  const inside = new Set(plan.nodes.flatMap(({ id, parentId }) => (parentId === undefined ? [] : [id])));
  return rules.some(({ id, keep, reshaped, otherOutput }) => reshaped || ((!keep || otherOutput) && inside.has(id)));
}

function nodesBehind(plan: Plan, nodeId: string): Set<string> {
  const found = new Set<string>();
  const pending = successors(plan, nodeId);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    pending.push(...successors(plan, next));
  }
  return found;
}
