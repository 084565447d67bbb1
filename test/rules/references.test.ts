import { expect, test } from '@jest/globals';
import { buildCatalogue } from '../../activities/apps/catalogue.ts';
import { readOpenApi } from '../../api/openapi.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { referencesIn } from '../../domain/reference/references.ts';

// An id field that domain/reference does not know would be missing in `usedBy` and in bundles.

const catalogue = buildCatalogue({ testing: true });
const ID = '01935b1e-7c00-7c4f-8d6a-000000000001';
/** Fields that name an item, a task or a person, which are no resources with a definition. */
const OTHERS = new Set(['itemId', 'externalId', 'taskId', 'ownerId']);

test('every field of the catalogue with the name of an id or slug declares its kind', () => {
  const configs = [...catalogue.values()].flatMap(({ actions, triggers }) =>
    [...actions, ...triggers].map(({ inputConfig }) => inputConfig),
  );
  const silent = configs.flatMap(({ fields, refersTo = {} }) =>
    fields
      .map(({ key }) => key)
      .filter((key) => /(^id|Ids?|[sS]lug)$/.test(key) && !OTHERS.has(key) && !(key in refersTo)),
  );
  expect(silent).toEqual([]);
  const unknown = configs.flatMap(({ fields, refersTo = {} }) =>
    Object.keys(refersTo).filter((named) => !fields.some(({ key }) => key === named)),
  );
  expect(unknown).toEqual([]);
});

test('every id in the settings of an agent is a reference', () => {
  const schema = schemaOf('upsertAgent');
  const agent = exampleOf(schema);
  const ids = idsIn(agent);
  expect(ids.length).toBeGreaterThan(8);
  expect(
    referencesIn('agent', agent as JsonObject, catalogue)
      .map(({ path }) => path)
      .sort(),
  ).toEqual(ids.sort());
});

/** Resolves references where they occur. */
function schemaOf(operationId: string): JsonObject {
  const { paths } = readOpenApi() as unknown as { paths: Record<string, Record<string, JsonObject>> };
  const operation = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .find((each) => each.operationId === operationId);
  const body = operation?.requestBody as unknown as { content: Record<string, { schema: JsonObject }> };
  return resolved(body.content['application/json']?.schema as JsonObject);
}

function resolved(schema: JsonObject): JsonObject {
  if (typeof schema.$ref !== 'string') return schema;
  const found = schema.$ref
    .split('/')
    .slice(1)
    .reduce<Json>((at, key) => (at as JsonObject)[key] as Json, readOpenApi() as unknown as Json);
  return resolved(found as JsonObject);
}

/** Every member of the schema has a value; those with `format: uuid` are ids. */
function exampleOf(given: Json | undefined): Json {
  if (!isJsonObject(given)) return null;
  const schema = resolved(given);
  const [alternative] = (schema.oneOf ?? schema.anyOf ?? []) as Json[];
  if (alternative !== undefined) return exampleOf(alternative);
  if (schema.format === 'uuid') return ID;
  if (isJsonObject(schema.properties)) {
    return Object.fromEntries(Object.entries(schema.properties).map(([key, member]) => [key, exampleOf(member)]));
  }
  return schema.items === undefined ? null : [exampleOf(schema.items)];
}

function idsIn(value: Json, path = ''): string[] {
  if (value === ID) return [path];
  if (Array.isArray(value)) return value.flatMap((item, index) => idsIn(item, `${path}[${index}]`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => idsIn(member, path === '' ? key : `${path}.${key}`));
}

test('every field of the catalogue that is named as an object is a field for JSON; whatever says that it takes an object is named', () => {
  const configs = [...catalogue.values()].flatMap(({ actions, triggers }) =>
    [...actions, ...triggers].map(({ inputConfig }) => inputConfig),
  );
  const named = configs.flatMap(({ fields, objects = [] }) =>
    objects.map((key) => fields.find((field) => field.key === key)),
  );
  expect(named.length).toBeGreaterThan(6);
  expect(named.filter((field) => field?.type !== 'json')).toEqual([]);
  const unmarked = configs.flatMap(({ fields, objects = [] }) =>
    fields.filter(({ key, help = '' }) => help.startsWith('An object') && !objects.includes(key)),
  );
  expect(unmarked).toEqual([]);
});
