import type { Named } from '../prisma/store/resource.ts';
import { expansionsOf } from '../prisma/store/resourceQuery.ts';
import { NAMED } from '../prisma/store/resourceTables.ts';
import { type OpenApiDocument, type OpenApiOperation, type OpenApiParameter, parametersOf } from './openapi.ts';

type Schema = Record<string, unknown>;
type Kind = 'list' | 'single';

interface Names {
  schema: string;
  names: readonly string[];
  text: string;
}

/** Adds the names of each resource table as enumerations, and the URL of this deployment. Changes the argument. */
export function servedDocument(document: OpenApiDocument, publicUrl: string | undefined): OpenApiDocument {
  if (publicUrl !== undefined) document.servers = [{ url: new URL(publicUrl).origin, description: 'This deployment.' }];
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    const name = operation['x-resource'];
    if (typeof name !== 'string') continue;
    const named = NAMED.get(name);
    if (!named) throw new Error(`openapi.yaml: ${operation.operationId} names an unknown resource ${name}`);
    const parameters = parametersOf(document, operation);
    const kind = parameters.some(({ name }) => name === 'limit') ? 'list' : 'single';
    operation.parameters = operation.parameters?.flatMap((declared, index) => {
      const parameter = parameters[index] as OpenApiParameter;
      return takesNames(parameter.name) ? parameterOf(document, parameter, named, kind) : [declared];
    });
    nameInBody(document, operation, named);
  }
  dropUnusedParameters(document);
  return document;
}

/** Removes parameters that resource-specific ones have replaced. */
function dropUnusedParameters({ paths, components: { parameters } }: OpenApiDocument): void {
  const used = JSON.stringify(paths);
  for (const name of Object.keys(parameters)) {
    if (!used.includes(`"#/components/parameters/${name}"`)) delete parameters[name];
  }
}

type Taking = 'expansion' | 'filterBy' | 'includeType';

function takesNames(name: string): name is Taking {
  return name === 'expansion' || name === 'filterBy' || name === 'includeType';
}

/** A list separated by commas; none if no names exist. */
function parameterOf(
  document: OpenApiDocument,
  parameter: OpenApiParameter,
  named: Named,
  kind: Kind,
): OpenApiParameter[] {
  const taken = namesOf(named, kind, parameter.name as Taking);
  if (taken.names.length === 0) return [];
  const ref = enumeration(document, taken);
  const items =
    parameter.name === 'filterBy' ? { type: 'string', pattern: `^${pair(taken)}`, $defs: { key: ref } } : ref;
  const { 'x-comma-separated': _, ...rest } = parameter;
  const description = `${parameter.description}\n\n${taken.text}`;
  return [{ ...rest, description, style: 'form', explode: false, schema: { type: 'array', items } }];
}

/** Operations on many rows take the filter of their list in the body, as a string. */
function nameInBody(document: OpenApiDocument, { requestBody }: OpenApiOperation, named: Named): void {
  const content = requestBody?.content as
    | Record<string, { schema: { properties?: Record<string, Schema> } }>
    | undefined;
  const properties = content?.['application/json']?.schema.properties ?? {};
  for (const [name, schema] of Object.entries(properties)) {
    if (name !== 'filterBy' && name !== 'includeType') continue;
    const taken = namesOf(named, 'list', name);
    const one = name === 'filterBy' ? `${pair(taken)}[^,]*` : oneOf(taken);
    schema.description = `${schema.description}\n\n${taken.text}`;
    schema.pattern = `^(${one}(,${one})*)?$`;
    schema.$defs = { [name === 'filterBy' ? 'key' : 'flag']: enumeration(document, taken) };
  }
}

function namesOf(named: Named, kind: Kind, parameter: Taking): Names {
  const noun = named.name.charAt(0).toUpperCase() + named.name.slice(1);
  switch (parameter) {
    case 'expansion': {
      const { fields, defaults } = named;
      if (!fields || !defaults) throw new Error(`${named.name} has no fields to expand`);
      const names = expansionsOf({ fields }, kind);
      const isShort = kind === 'list' && names.length < expansionsOf({ fields }, 'single').length;
      const others = names.filter((name) => !defaults[kind].includes(name));
      const text = `Default fields: ${code(defaults[kind])}. Further fields: ${code(others)}.`;
      return { schema: `${noun}${isShort ? 'List' : ''}Expansion`, names, text };
    }
    case 'filterBy': {
      const lines = Object.entries(named.filters).map(
        ([key, { expected, description }]) => `- \`${key}\` (${expected}): ${description}`,
      );
      return { schema: `${noun}FilterKey`, names: Object.keys(named.filters), text: lines.join('\n') };
    }
    case 'includeType': {
      const lines = Object.entries(named.flags).map(([flag, description]) => `- \`${flag}\`: ${description}`);
      return { schema: `${noun}Flag`, names: Object.keys(named.flags), text: lines.join('\n') };
    }
  }
}

const MEANINGS: readonly (readonly [ending: string, description: string])[] = [
  ['Expansion', 'Fields for `expansion`.'],
  ['FilterKey', 'Keys for `filterBy`.'],
  ['Flag', 'Flags for `includeType`.'],
];

function enumeration({ components }: OpenApiDocument, { schema, names }: Names): { $ref: string } {
  const [, description] = MEANINGS.find(([ending]) => schema.endsWith(ending)) ?? [];
  const made = { type: 'string', description, enum: [...names] };
  const there = components.schemas[schema];
  if (there && JSON.stringify(there) !== JSON.stringify(made)) {
    throw new Error(`openapi.yaml has a schema ${schema} already: that name is for an enumeration`);
  }
  components.schemas[schema] = made;
  return { $ref: `#/components/schemas/${schema}` };
}

/** The beginning of a pair; the rest is free text. */
function pair(keys: Names): string {
  return `${oneOf(keys)}:`;
}

function oneOf({ names }: Names): string {
  return `(${names.join('|')})`;
}

function code(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
