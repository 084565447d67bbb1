import { isEqualJson } from '../isEqualJson.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { pathTo } from '../place.ts';
import type { FieldChange } from './bundle.ts';

/** A value and its readable form, with masks and references instead of secrets and ids. */
export interface Shown<T extends Json = Json> {
  value: T;
  shown: T;
}

/** An absent member equals null. Entries with ids are compared by id, so an inserted node changes only the order. */
export function changesOf(before: Shown<JsonObject>, wanted: Shown<JsonObject>): FieldChange[] {
  return ofMembers('', before, wanted);
}

function ofValues(path: string, before: Shown, wanted: Shown): FieldChange[] {
  if (isEqualJson(before.value, wanted.value)) return [];
  const four = [before.value, before.shown, wanted.value, wanted.shown];
  if (four.every(isJsonObject)) return ofMembers(path, before as Shown<JsonObject>, wanted as Shown<JsonObject>);
  const idOf = four.every(Array.isArray) ? idOfEntries(before.value as Json[], wanted.value as Json[]) : undefined;
  if (idOf) return ofEntries(path, before as Shown<Json[]>, wanted as Shown<Json[]>, idOf);
  return [{ path, from: before.shown, to: wanted.shown }];
}

function ofMembers(path: string, before: Shown<JsonObject>, wanted: Shown<JsonObject>): FieldChange[] {
  const keys = [...new Set([...Object.keys(before.value), ...Object.keys(wanted.value)])];
  return keys.flatMap((key) => ofValues(pathTo(path, key), memberOf(before, key), memberOf(wanted, key)));
}

type Places = Map<string, number>;

function ofEntries(
  path: string,
  before: Shown<Json[]>,
  wanted: Shown<Json[]>,
  idOf: (entry: Json) => string,
): FieldChange[] {
  const [was, is] = [before, wanted].map((each) => each.value.map(idOf)) as [string[], string[]];
  const entry = ({ value, shown }: Shown<Json[]>, index: number): Shown =>
    index < 0 ? { value: null, shown: null } : { value: value[index] ?? null, shown: shown[index] ?? null };
  const [wasAt, isAt] = [was, is].map((ids) => new Map(ids.map((id, index) => [id, index]))) as [Places, Places];
  const changes = [...new Set([...was, ...is])].flatMap((id) =>
    ofValues(pathTo(path, id), entry(before, wasAt.get(id) ?? -1), entry(wanted, isAt.get(id) ?? -1)),
  );
  const stay = (ids: string[], others: Places) => ids.filter((id) => others.has(id));
  const isOtherOrder = stay(was, isAt).join('\n') !== stay(is, wasAt).join('\n');
  return isOtherOrder ? [...changes, { path, from: was, to: is }] : changes;
}

function idOfEntries(before: readonly Json[], wanted: readonly Json[]): ((entry: Json) => string) | undefined {
  if (before.length + wanted.length === 0) return undefined;
  return NAMES.find((idOf) => [before, wanted].every((list) => areNames(list.map(idOf)))) as
    | ((entry: Json) => string)
    | undefined;
}

function areNames(ids: readonly (string | undefined)[]): boolean {
  return ids.every((id) => id !== undefined) && new Set(ids).size === ids.length;
}

const NAMES: ((entry: Json) => string | undefined)[] = [
  (entry) => textOf(entry, 'id'),
  (entry) => textOf(entry, 'key'),
  (entry) => {
    const [app, action] = [textOf(entry, 'appId'), textOf(entry, 'actionId')];
    return app === undefined || action === undefined ? undefined : `${app}.${action}`;
  },
  (entry) => textOf(entry, 'actionId'),
  (entry) => textOf(entry, 'name'),
];

function textOf(entry: Json, key: string): string | undefined {
  const text = isJsonObject(entry) ? entry[key] : undefined;
  return typeof text === 'string' ? text : undefined;
}

function memberOf({ value, shown }: Shown<JsonObject>, key: string): Shown {
  return {
    value: Object.hasOwn(value, key) ? (value[key] ?? null) : null,
    shown: Object.hasOwn(shown, key) ? (shown[key] ?? null) : null,
  };
}
