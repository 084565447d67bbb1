import type { Resource } from '../prisma/store/resource.ts';
import { expansionsOf } from '../prisma/store/resourceQuery.ts';
import { RESOURCES } from '../prisma/store/resourceTables.ts';
import { type OpenApiDocument, type OpenApiOperation, type OpenApiParameter, parametersOf } from './openapi.ts';

/** The document with what expansion, filterBy and includeType take, from the resource tables. Changes the argument. */
export function describeResources(document: OpenApiDocument): OpenApiDocument {
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    const name = operation['x-resource'];
    if (typeof name !== 'string') continue;
    const resource = RESOURCES.get(name);
    if (!resource) throw new Error(`openapi.yaml: ${operation.operationId} names an unknown resource ${name}`);
    operation.parameters = described(document, operation, resource);
  }
  return document;
}

function described(document: OpenApiDocument, operation: OpenApiOperation, resource: Resource): OpenApiParameter[] {
  const parameters = parametersOf(document, operation);
  const kind = parameters.some(({ name }) => name === 'limit') ? 'list' : 'single';
  return parameters.map((parameter) => {
    const text = describe(resource, kind, parameter.name);
    return text === undefined ? parameter : { ...parameter, description: `${parameter.description}\n\n${text}` };
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

function code(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
