import { unknownKey } from '../../domain/fieldType.ts';
import { keysOf } from '../../domain/place.ts';
import { type OpenApiDocument, type OpenApiOperation, parametersOf, schemaName } from '../openapi.ts';

export interface ValidatorError {
  path: string;
  message: string;
  errorCode?: string;
}

type Schema = Record<string, unknown>;

/** Adds what the validator's messages lack: allowed keys and parameters, and the right place of missing ones. */
export function contractMessages(document: OpenApiDocument, operation: OpenApiOperation) {
  const parameters = parametersOf(document, operation);
  const inQuery = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  const root = bodySchema(operation);
  const ofBody = ({ message, errorCode = '' }: ValidatorError, keys: readonly string[]) => {
    if (/^(additional|unevaluated)Properties\./.test(errorCode)) {
      const [name = '', ...above] = keys.toReversed();
      if (above.length === 0 && inQuery.includes(name)) return 'unknown key: here it is a query parameter';
      return unknownKey(membersAt(document, root, above.toReversed()));
    }
    if (!errorCode.startsWith('format.') || !message.includes('"date-time"')) return message;
    return 'expected a time such as 2026-11-21T10:15:30.123Z';
  };
  const ofQuery = ({ message, errorCode = '' }: ValidatorError, value: unknown) => {
    if (errorCode.startsWith('required.')) return 'required as a query parameter';
    if (message.startsWith('Unknown query parameter')) return `${message}: ${expectedOf(inQuery)}`;
    return Array.isArray(value) ? 'is given several times: expected one value' : message;
  };
  return (error: ValidatorError, query: Record<string, unknown>): string => {
    const [part, ...keys] = keysOf(error.path);
    if (part === 'body') return ofBody(error, keys);
    return part === 'query' ? ofQuery(error, query[keys[0] ?? '']) : error.message;
  };
}

function expectedOf(names: readonly string[]): string {
  return names.length === 0 ? 'none is expected' : `expected one of ${names.join(', ')}`;
}

function bodySchema(operation: OpenApiOperation): Schema {
  const content = (operation.requestBody?.content ?? {}) as Record<string, { schema?: Schema }>;
  return content['application/json']?.schema ?? {};
}

function membersAt(document: OpenApiDocument, root: Schema, keys: readonly string[]): string[] {
  const schemas = keys.reduce(
    (found, key) => found.flatMap((schema) => alternatives(document, inner(schema, key))),
    alternatives(document, root),
  );
  return [...new Set(schemas.flatMap((schema) => Object.keys((schema.properties ?? {}) as Schema)))];
}

function inner(schema: Schema, key: string): Schema {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  if (Object.hasOwn(properties, key)) return properties[key] as Schema;
  const others = /^\d+$/.test(key) ? (schema.items ?? schema.additionalProperties) : schema.additionalProperties;
  return typeof others === 'object' && others !== null ? (others as Schema) : {};
}

function alternatives(document: OpenApiDocument, schema: Schema): Schema[] {
  const named = document.components.schemas[schemaName(schema.$ref) ?? ''];
  const parts = [schema.oneOf, schema.anyOf, schema.allOf].flatMap((each) => (each ?? []) as Schema[]);
  return [schema, ...[...(named ? [named] : []), ...parts].flatMap((part) => alternatives(document, part))];
}
