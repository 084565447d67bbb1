import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts';

/** The order in which a person reads a definition. Members that are not listed follow in their own order. */
const ORDER = [
  ...['slug', 'id', 'key', 'name', 'label', 'title', 'description'],
  ...['type', 'appId', 'actionId', 'triggerId', 'connectionId', 'source', 'sourceHandle', 'target', 'targetHandle'],
  ...['model', 'instructions', 'trigger', 'config', 'inputs', 'fields', 'nodes', 'edges', 'output'],
];
const PLACES = new Map(ORDER.map((key, place) => [key, place]));

/** Members of these kinds come from jsonb, which orders them by length; others keep the order of their author. */
const UNORDERED = ['workflow', 'agent'];

export function inReadingOrder(kind: string, fields: JsonObject): JsonObject {
  return UNORDERED.includes(kind) ? (ordered(fields) as JsonObject) : sorted(fields);
}

function ordered(value: Json): Json {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(sorted(value)).map(([key, member]) => [key, ordered(member)]));
}

function sorted(value: JsonObject): JsonObject {
  const place = (key: string) => PLACES.get(key) ?? ORDER.length;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => place(a) - place(b)));
}
