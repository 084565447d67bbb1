/**
 * Rules by which a retry takes over the work inside loops: the database applies them to all iterations at once
 * (take_over_steps in the migration), since there may be 100,000. At the top the reducer does the same (resume.ts).
 */
import type { JsonObject } from '../json.ts';
import { isLoop } from '../workflow/definition.ts';
import type { Plan } from '../workflow/plan.ts';
import { successors } from '../workflow/planIndex.ts';
import type { Unchanged } from '../workflow/unchangedNodes.ts';

/** The fate of a node's steps in a retry. */
export interface KeepRule {
  id: string;
  /** They are kept where they ended well and nothing before them runs again; otherwise they run again in any case. */
  keep: boolean;
  /** A failure of it ended nothing. */
  handled: boolean;
  stop: boolean;
  loop: 'forEach' | 'repeat' | null;
  /** Other nodes or edges stand inside it now: no iteration is taken as it is. */
  reshaped: boolean;
  /** A loop that makes another output of its iterations: it is made again, also if the loop completed. */
  otherOutput: boolean;
  /** Inside a loop, nodes behind it in its scope: they run again where it does. */
  after: string[];
  /** For a resumed loop: its inputs differ from those with which it began. */
  input: JsonObject;
}

/** `unchanged`: where another version runs; `again`: the node from which a retry begins. */
export function keepRules(plan: Plan, unchanged: Unchanged | undefined, again: string | undefined): KeepRule[] {
  const behind = new Map(plan.nodes.map(({ id }) => [id, nodesBehind(plan, id)]));
  // A node that is new at its place has left no step by which the database could tell that those behind it run again.
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

/** Whether iterations of loops that completed may run again by these rules. */
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
