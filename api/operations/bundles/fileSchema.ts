import { fieldsSchema } from '../../../domain/agent/fieldSchema.ts';
import type { AppManifest, Catalogue, InputConfig } from '../../../domain/app/manifest.ts';
import type { BundleKind } from '../../../domain/bundle/bundle.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { type OpenApiDocument, schemaName } from '../../openapi.ts';

/** The contract's schema of each kind, without the members that the file name provides. */
const SCHEMAS: Record<BundleKind, string> = {
  workflow: 'WorkflowUpsert',
  agent: 'AgentUpsert',
  app: 'AppUpsert',
  objectType: 'ObjectTypeUpsert',
  queue: 'QueueCreate',
  knowledge: 'KnowledgeCreate',
  variable: 'VariableCreate',
};

/** JSON Schema (2020-12) of a file, with the catalogue's actions. It helps editors; `validate` decides. */
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

/** Variables share a file, so each has a slug, which is its name in the API. */
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

/** Adds the schemas that it references to `pending`. */
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

/** Conditional schemas let editors report mistakes in the intended alternative only. */
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

/** Limits apps to those with such a member, members to those of the chosen app, and inputs to the chosen member. */
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

/** An expression may replace any value that is not a string. */
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
