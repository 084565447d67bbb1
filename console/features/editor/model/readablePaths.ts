import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.ts';

export interface ReadablePath {
  path: string;
  value: Json;
  of: { step: string } | { root: string };
}

/** Keys that CEL accepts after a dot. */
export const IS_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Levels of members to list. For a step, that is two levels of its output. */
const DEPTH = 3;
const MAX_OF_ONE = 40;
const MAX_PATHS = 400;

function memberPath(path: string, key: string): string {
  return IS_NAME.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

/**
 * Lists known values, the nearest first: at most 40 per source and 400 in all. Deeper ones are reached by typing on.
 */
export function readablePaths(known: JsonObject): ReadablePath[] {
  const { loop = {}, steps = {}, trigger = {}, ...others } = known;
  const ofRoot = ([root, value]: [string, Json]) => within({ path: root, value, of: { root } });
  const ofSteps = Object.entries(isJsonObject(steps) ? steps : {}).flatMap(([step, value]) =>
    within({ path: memberPath('steps', step), value, of: { step } }),
  );
  const whole: ReadablePath = { path: 'trigger', value: trigger, of: { root: 'trigger' } };
  const further = Object.entries(others).flatMap(ofRoot);
  return [...ofRoot(['loop', loop]), ...ofSteps, whole, ...within(whole), ...ofBatch(trigger), ...further].slice(
    0,
    MAX_PATHS,
  );
}

/** Lists members of the first item of a batch, because all items are alike. */
function ofBatch(trigger: Json): ReadablePath[] {
  const items = isJsonObject(trigger) ? trigger.items : undefined;
  const first = Array.isArray(items) ? items[0] : undefined;
  return isJsonObject(first) ? within({ path: 'trigger.items[0]', value: first, of: { root: 'trigger' } }) : [];
}

function within(top: ReadablePath): ReadablePath[] {
  const found: ReadablePath[] = [];
  let level = [top];
  for (let below = 0; below < DEPTH && found.length < MAX_OF_ONE; below += 1) {
    level = level.flatMap(membersOf).slice(0, MAX_OF_ONE - found.length);
    found.push(...level);
  }
  return found;
}

function membersOf({ path, value, of }: ReadablePath): ReadablePath[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([key, member]) => ({ path: memberPath(path, key), value: member, of }));
}
