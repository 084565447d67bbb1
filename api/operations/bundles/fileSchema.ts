import { fieldsSchema } from '../../../domain/agent/fieldSchema.ts';
import type { AppManifest, Catalogue, InputConfig } from '../../../domain/app/manifest.ts';
import type { BundleKind } from '../../../domain/bundle/bundle.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { type OpenApiDocument, schemaName } from '../../openapi.ts';

/** The schema of the contract that a resource of the kind has in a file, without what the file's name says. */
const SCHEMAS: Record<BundleKind, string> = {
  workflow: 'WorkflowUpsert',
  agent: 'AgentUpsert',
  objectType: 'ObjectTypeUpsert',
  queue: 'QueueCreate',
  knowledge: 'KnowledgeCreate',
  variable: 'VariableCreate',
};

/**
 * JSON Schema (2020-12) of a file of a project's folder, for editors: the contract's, with the actions of the catalogue and
 * their inputs. References are texts, by id or as `@kind/slug`. It helps while one types; `validate` decides.
 */
export function fileSchema(kind: BundleKind, document: OpenApiDocument, catalogue: Catalogue): JsonObject {
  const definitions: JsonObject = {};
  const pending = [SCHEMAS[kind]];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (Object.hasOwn(definitions, name)) continue;
    const given = document.components.schemas[name] as JsonObject;
    definitions[name] = withCatalogue(name, schemaOf(given, pending), catalogue);
  }
  const top = definitions[SCHEMAS[kind]] as JsonObject;
  definitions[SCHEMAS[kind]] = kind === 'variable' ? namedBySlug(top) : withoutRequired(top, ['slug', 'name']);
  const root = { $ref: `#/$defs/${SCHEMAS[kind]}` };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...(kind === 'variable' ? { type: 'array', items: root } : root),
    $defs: definitions,
  };
}

/** Variables share a file: each has its slug, which is its name at the API. */
function namedBySlug(variable: JsonObject): JsonObject {
  const { name, ...others } = variable.properties as JsonObject;
  return {
    ...withoutRequired(variable, ['name', 'value'], ['slug']),
    properties: { slug: name as JsonObject, ...others },
  };
}

function withoutRequired(schema: JsonObject, names: readonly string[], others: readonly string[] = []): JsonObject {
  const { required = [], ...rest } = schema;
  const left = [...(required as string[]).filter((name) => !names.includes(name)), ...others];
  return left.length === 0 ? rest : { ...rest, required: left };
}

const LISTS = ['oneOf', 'anyOf', 'allOf'];
const INNER = ['items', 'additionalProperties', 'not'];

/** A schema of the contract as plain JSON Schema; the names of those that it refers to are added to `pending`. */
function schemaOf(given: JsonObject, pending: string[]): JsonObject {
  const schema: JsonObject = {};
  for (const [keyword, value] of Object.entries(given)) {
    if (/^(x-|examples?$|discriminator$)/.test(keyword) || (keyword === 'format' && value === 'uuid')) continue;
    if (keyword === '$ref') schema.$ref = referred(value as string, pending);
    else if (keyword === 'properties')
      schema.properties = mapped(value as JsonObject, (each) => schemaOf(each, pending));
    else if (LISTS.includes(keyword)) schema[keyword] = (value as JsonObject[]).map((each) => schemaOf(each, pending));
    else if (INNER.includes(keyword) && typeof value === 'object')
      schema[keyword] = schemaOf(value as JsonObject, pending);
    else schema[keyword] = value;
  }
  return given.discriminator === undefined ? schema : byType(schema, given.discriminator as unknown as Discriminator);
}

function referred(reference: string, pending: string[]): string {
  const name = schemaName(reference);
  if (name === undefined) throw new Error(`openapi.yaml: ${reference} names no schema`);
  pending.push(name);
  return `#/$defs/${name}`;
}

function mapped(members: JsonObject, to: (schema: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, to(value as JsonObject)]));
}

interface Discriminator {
  propertyName: string;
  mapping: Record<string, string>;
}

/** Of alternatives that one member tells apart, editors name what is wrong with the one that is meant. */
function byType({ oneOf: _, ...schema }: JsonObject, { propertyName, mapping }: Discriminator): JsonObject {
  return {
    ...schema,
    type: 'object',
    required: [propertyName],
    properties: { [propertyName]: { enum: Object.keys(mapping) } },
    allOf: Object.entries(mapping).map(([value, reference]) =>
      when({ [propertyName]: value }, { $ref: `#/$defs/${schemaName(reference)}` }),
    ),
  };
}

function when(members: Record<string, string>, then: JsonObject): JsonObject {
  return { if: { required: Object.keys(members), properties: mapped(members, (value) => ({ const: value })) }, then };
}

function withCatalogue(name: string, schema: JsonObject, catalogue: Catalogue): JsonObject {
  const apps = [...catalogue.values()];
  // A request may leave these out.
  if (/^[A-Z][a-z]+Trigger$/.test(name))
    return withoutRequired(schema, name === 'PollTrigger' ? ['id'] : ['id', 'config']);
  if (name === 'PollConfig') {
    return limited(
      schema,
      'triggerId',
      withThings(apps, ({ triggers }) => triggers.map((each) => [each.triggerId, each])),
    );
  }
  if (name !== 'ActionNode' && name !== 'StepInput') return schema;
  return limited(
    schema,
    'actionId',
    withThings(apps, ({ actions }) => actions.map((each) => [each.actionId, each])),
  );
}

type Thing = { description: string; inputConfig: InputConfig };

function withThings(apps: readonly AppManifest[], of: (app: AppManifest) => [string, Thing][]) {
  return apps.map((app) => ({ app, things: of(app) })).filter(({ things }) => things.length > 0);
}

/** With the apps that have such things, theirs where an app is chosen, and the inputs where one of them is. */
function limited(schema: JsonObject, member: string, all: ReturnType<typeof withThings>): JsonObject {
  const properties = { ...(schema.properties as JsonObject), appId: { enum: all.map(({ app }) => app.appId) } };
  const conditions = all.flatMap(({ app: { appId }, things }) => [
    when({ appId }, { properties: { [member]: { enum: things.map(([id]) => id) } } }),
    ...things.map(([id, { description, inputConfig }]) => {
      const inputs = inputsSchema(inputConfig);
      const needed: JsonObject = inputs.required === undefined ? {} : { required: ['inputs'] };
      return when({ appId, [member]: id }, { ...needed, properties: { inputs: { description, ...inputs } } });
    }),
  ]);
  return { ...schema, properties, allOf: conditions };
}

/** Inputs of an action: where a value is no text, an expression may give it. */
function inputsSchema({ fields }: InputConfig): JsonObject {
  const schema = fieldsSchema(fields);
  return {
    ...schema,
    properties: mapped(schema.properties as JsonObject, ({ description, default: byDefault, ...value }) => ({
      description: description as string,
      ...(byDefault === undefined ? {} : { default: byDefault }),
      anyOf: [value, { type: 'string', pattern: '^$|\\{\\{' }, { type: 'null' }],
    })),
  };
}
