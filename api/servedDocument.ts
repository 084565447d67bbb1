import type { Resource } from '../prisma/store/resource.ts';
import { expansionsOf } from '../prisma/store/resourceQuery.ts';
import { RESOURCES } from '../prisma/store/resourceTables.ts';
import { type OpenApiDocument, type OpenApiOperation, type OpenApiParameter, parametersOf } from './openapi.ts';

/**
 * The document as it is served: with what expansion, filterBy and includeType take, from the resource tables, and with the
 * URL of this deployment where it is known. Changes the argument.
 */
export function servedDocument(document: OpenApiDocument, publicUrl: string | undefined): OpenApiDocument {
  if (publicUrl !== undefined) document.servers = [{ url: new URL(publicUrl).origin, description: 'This deployment.' }];
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    const name = operation['x-resource'];
    if (typeof name !== 'string') continue;
    const resource = RESOURCES.get(name);
    if (!resource) throw new Error(`openapi.yaml: ${operation.operationId} names an unknown resource ${name}`);
    operation.parameters = described(document, operation, resource);
  }
  dropUnusedParameters(document);
  return document;
}

/** Those whose every use has been replaced by what a resource takes. */
function dropUnusedParameters({ paths, components: { parameters } }: OpenApiDocument): void {
  const used = JSON.stringify(paths);
  for (const name of Object.keys(parameters)) {
    if (!used.includes(`"#/components/parameters/${name}"`)) delete parameters[name];
  }
}

function described(
  document: OpenApiDocument,
  operation: OpenApiOperation,
  resource: Resource,
): OpenApiOperation['parameters'] {
  const parameters = parametersOf(document, operation);
  const kind = parameters.some(({ name }) => name === 'limit') ? 'list' : 'single';
  return operation.parameters?.map((declared, index) => {
    const parameter = parameters[index] as OpenApiParameter;
    const text = describe(resource, kind, parameter.name);
    if (text === undefined) return declared;
    const schema = { ...parameter.schema, pattern: patternOf(resource, kind, parameter.name) };
    return { ...parameter, schema, description: `${parameter.description}\n\n${text}` };
  });
}

function describe(resource: Resource, kind: 'list' | 'single', parameter: string): string | undefined {
  switch (parameter) {
    case 'expansion':
      return `Always there: ${code(resource.defaults[kind])}. To ask for: ${code(
        expansionsOf(resource, kind).filter((name) => !resource.defaults[kind].includes(name)),
      )}.`;
    case 'filterBy':
      return Object.entries(resource.filters)
        .map(([key, { expected, description }]) => `- \`${key}\` (${expected}): ${description}`)
        .join('\n');
    case 'includeType':
      return Object.entries(resource.flags)
        .map(([flag, description]) => `- \`${flag}\`: ${description}`)
        .join('\n');
    default:
      return undefined;
  }
}

/** The names that the parameter takes. The rest of a filter is text. */
function patternOf(resource: Resource, kind: 'list' | 'single', parameter: string): string {
  switch (parameter) {
    case 'expansion':
      return listOf(`(${expansionsOf(resource, kind).join('|')})`);
    case 'filterBy':
      return listOf(`(${Object.keys(resource.filters).join('|')}):[^,]*`);
    default:
      return listOf(`(${Object.keys(resource.flags).join('|')})`);
  }
}

/** A pattern of none, one or several, with commas between them. */
function listOf(one: string): string {
  return `^(${one}(,${one})*)?$`;
}

function code(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
