import { isEqualJson } from '../../../../domain/isEqualJson.ts';
import { isJsonObject, type Json } from '../../../../domain/json.ts';
import type { ExecutionStep } from '../queries/executions.ts';

/** One difference between two values; undefined if a value has nothing at the place. */
export interface ValueDifference {
  path: string;
  one: Json | undefined;
  other: Json | undefined;
}

export type StepDifference = 'onlyOne' | 'onlyOther' | 'status' | 'input' | 'output' | 'error';

export interface ComparedStep {
  place: string;
  one: ExecutionStep | undefined;
  other: ExecutionStep | undefined;
  differences: StepDifference[];
}

/** Pairs the steps of two executions in the order of the first; steps that it lacks come after their predecessors. */
export function comparedSteps(one: readonly ExecutionStep[], other: readonly ExecutionStep[]): ComparedStep[] {
  const others = new Map(other.map((step) => [placeOf(step), step]));
  const own = new Map(one.map((step) => [placeOf(step), step]));
  const order = [...own.keys()];
  let at = 0;
  for (const place of others.keys()) {
    const known = order.indexOf(place);
    if (known >= 0) at = known + 1;
    else {
      order.splice(at, 0, place);
      at += 1;
    }
  }
  return order.map((place) => {
    const [mine, theirs] = [own.get(place), others.get(place)];
    return { place, one: mine, other: theirs, differences: differencesOf(mine, theirs) };
  });
}

export function placeOf({ nodeId, iteration }: Pick<ExecutionStep, 'nodeId' | 'iteration'>): string {
  return [...iteration.map((each) => `${each.nodeId}[${each.index}]`), nodeId].join(' › ');
}

function differencesOf(one: ExecutionStep | undefined, other: ExecutionStep | undefined): StepDifference[] {
  if (other === undefined) return ['onlyOne'];
  if (one === undefined) return ['onlyOther'];
  const found: StepDifference[] = [];
  if (one.status !== other.status || one.handle !== other.handle) found.push('status');
  if (!isSame(one.input, other.input) || one.inputBytes !== other.inputBytes) found.push('input');
  if (!isSame(one.output, other.output) || one.outputBytes !== other.outputBytes) found.push('output');
  if (one.error?.code !== other.error?.code || one.error?.message !== other.error?.message) found.push('error');
  return found;
}

function isSame(one: unknown, other: unknown): boolean {
  return isEqualJson(one ?? null, other ?? null);
}

/** Lists up to `most` differences between two values, by place. */
export function valueDifferences(one: unknown, other: unknown, most: number): ValueDifference[] {
  const found: ValueDifference[] = [];
  const walk = (mine: Json | undefined, theirs: Json | undefined, path: string) => {
    if (found.length >= most || isSame(mine, theirs)) return;
    if (isJsonObject(mine) && isJsonObject(theirs)) {
      for (const key of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
        walk(mine[key] as Json, theirs[key] as Json, path === '' ? key : `${path}.${key}`);
      }
    } else if (Array.isArray(mine) && Array.isArray(theirs)) {
      for (let index = 0; index < Math.max(mine.length, theirs.length); index += 1) {
        walk(mine[index], theirs[index], `${path}[${index}]`);
      }
    } else found.push({ path, one: mine, other: theirs });
  };
  walk((one ?? undefined) as Json | undefined, (other ?? undefined) as Json | undefined, '');
  return found;
}
