import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { setKey } from '../ownMember.ts';
import { type FoundOperation, OPERATION_METHODS } from './operations.ts';
import { keysOfReference } from './references.ts';

/** Members that only readers need. Under `properties` and in maps of names they may be names. */
const FOR_READERS = new Set([
  'description',
  'summary',
  'example',
  'examples',
  'externalDocs',
  'title',
  'tags',
  'deprecated',
]);
/** Members whose keys are names. */
const MAPS_OF_NAMES = new Set([
  'properties',
  'patternProperties',
  'schemas',
  'content',
  'encoding',
  'variables',
  'flows',
]);
const OF_OPERATION = ['operationId', 'parameters', 'requestBody', 'security', 'servers'];

/** Returns a document with the parts that the requests of these operations need: no answers, no texts. */
export function reducedDocument(
  document: JsonObject,
  operations: readonly FoundOperation[],
  isServerReplaced: boolean,
): JsonObject {
  const reduced: JsonObject = { openapi: document.openapi as Json, paths: {} };
  for (const name of ['servers', 'security']) {
    if (document[name] !== undefined) reduced[name] = withoutTexts(document[name]);
  }
  const chosen = new Map<string, FoundOperation[]>();
  for (const one of operations) chosen.set(one.path, [...(chosen.get(one.path) ?? []), one]);
  const paths: JsonObject = {};
  for (const [path, ofPath] of chosen) {
    const item: JsonObject = {};
    const { parameters, servers } = (ofPath[0] as FoundOperation).item;
    if (parameters !== undefined) item.parameters = withoutTexts(parameters);
    if (servers !== undefined && !isServerReplaced) item.servers = withoutTexts(servers);
    for (const method of OPERATION_METHODS) {
      const found = ofPath.find((one) => one.method === method);
      if (!found) continue;
      const members = OF_OPERATION.filter(
        (name) => found.operation[name] !== undefined && !(isServerReplaced && name === 'servers'),
      );
      item[method] = {
        ...Object.fromEntries(members.map((name) => [name, withoutTexts(found.operation[name] as Json)])),
        // Names may be counted, so they depend on the operations that were left out.
        operationId: found.actionId,
      };
    }
    setKey(paths, path, item);
  }
  reduced.paths = paths;
  const { securitySchemes } = isJsonObject(document.components) ? document.components : {};
  reduced.components = isJsonObject(securitySchemes) ? { securitySchemes: withoutTexts(securitySchemes, true) } : {};
  addReferred(reduced, document);
  return reduced;
}

function isForReaders(key: string): boolean {
  return FOR_READERS.has(key) || (key.startsWith('x-') && key !== 'x-nullable');
}

function withoutTexts(value: Json, isMap = false): Json {
  if (Array.isArray(value)) return value.map((each) => withoutTexts(each));
  if (!isJsonObject(value)) return value;
  const kept: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    if (!isMap && isForReaders(key)) continue;
    setKey(kept, key, withoutTexts(member, !isMap && MAPS_OF_NAMES.has(key)));
  }
  return kept;
}

/** Copies what the reduced document refers to from the whole one, and what that refers to. */
function addReferred(reduced: JsonObject, whole: JsonObject): void {
  const done = new Set<string>();
  const partial = new Set<Json>();
  const todo: Json[] = [reduced];
  for (let value = todo.pop(); value !== undefined; value = todo.pop()) {
    for (const reference of referencesIn(value)) {
      if (done.has(reference)) continue;
      done.add(reference);
      const added = copyOf(reduced, whole, keysOfReference(reference), partial);
      if (added !== undefined) todo.push(added);
    }
  }
}

function referencesIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isJsonObject(value)) return [];
  const own = typeof value.$ref === 'string' && value.$ref.startsWith('#/') ? [value.$ref] : [];
  return [...own, ...Object.values(value).flatMap(referencesIn)];
}

/** Returns the copied value; undefined if it is there already. `partial`: the objects that were made on the way to one. */
function copyOf(reduced: JsonObject, whole: JsonObject, keys: readonly string[], partial: Set<Json>): Json | undefined {
  let from: Json | undefined = whole;
  let to: JsonObject = reduced;
  for (const [index, key] of keys.entries()) {
    if (!isJsonObject(from) || !Object.hasOwn(from, key)) return undefined;
    from = from[key] as Json;
    const there: Json | undefined = Object.hasOwn(to, key) ? to[key] : undefined;
    // The items of a list keep their places.
    if (index === keys.length - 1 || Array.isArray(from)) {
      if (there !== undefined && !partial.has(there)) return undefined;
      const copy = withoutTexts(from);
      setKey(to, key, copy);
      return copy;
    }
    const next: Json = there ?? {};
    if (!isJsonObject(next)) return undefined;
    if (there === undefined) {
      partial.add(next);
      setKey(to, key, next);
    }
    to = next;
  }
  return undefined;
}
