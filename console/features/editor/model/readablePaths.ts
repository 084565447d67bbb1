import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.ts';

/** A value that an expression can read: `steps.order.output.total`, and what it is there. */
export interface ReadablePath {
  path: string;
  value: Json;
  /** Of a step: its id. Else the name that the path begins with. */
  of: { step: string } | { root: string };
}

/** What CEL reads as a member behind a dot. */
export const IS_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Members of members of members: of the output of a step two of them. */
const DEPTH = 3;
const MAX_OF_ONE = 40;
const MAX_PATHS = 400;

/** The path of a member in CEL, which has brackets for what is no name. */
function memberPath(path: string, key: string): string {
  return IS_NAME.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

/**
 * The values that are known, flat: what is nearest to the expression first. At most 40 of each and 400 in all; what lies
 * deeper, or in a list, is found by going on from its whole.
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

/** What starts by a queue reads items first of all: those of a batch are alike. */
function ofBatch(trigger: Json): ReadablePath[] {
  const items = isJsonObject(trigger) ? trigger.items : undefined;
  const first = Array.isArray(items) ? items[0] : undefined;
  return isJsonObject(first) ? within({ path: 'trigger.items[0]', value: first, of: { root: 'trigger' } }) : [];
}

/** What is in the value, nearest to the top first. */
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
