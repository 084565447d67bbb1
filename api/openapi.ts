import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPermission, type Permission } from '../domain/access/permission.ts';
import { PROJECT_ROOT } from '../projectRoot.ts';
import type { operations } from './contract.ts';

type JsonNode = Record<string, unknown>;

export interface OpenApiDocument extends JsonNode {
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: {
    parameters: Record<string, OpenApiParameter>;
    responses: Record<string, JsonNode>;
    schemas: Record<string, JsonNode>;
  } & JsonNode;
}

export interface OpenApiParameter extends JsonNode {
  name: string;
  in: string;
  description: string;
  schema?: JsonNode;
}

export interface OpenApiOperation extends JsonNode {
  operationId: string;
  security?: unknown[];
  parameters?: ({ $ref: string } | OpenApiParameter)[];
  requestBody?: JsonNode;
  responses: Record<string, JsonNode>;
}

/** Operations with an entry in the table: a PUT by `x-also` has none. */
export type TableId = Exclude<keyof operations, `${string}ByPut`>;

export interface Route {
  /** Id in the table of operations: a PUT by `x-also` has that of its PATCH or POST. */
  operationId: TableId;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  isPublic: boolean;
  /** One of them is enough. Undefined: any credential is. */
  permissions: readonly Permission[] | undefined;
  resource: string | undefined;
  /** Names of path ids that are UUIDs; any other text is NOT_FOUND. */
  rowIds: readonly string[];
  successStatus: number;
  hasBody: boolean;
  takesIdempotencyKey: boolean;
  isStream: boolean;
  /** The answer contains a secret that is shown once. */
  isSecretAnswer: boolean;
  /** The answer shows outputs of steps in the body. */
  showsSteps: boolean;
  isBulk: boolean;
  /** Small bodies from callers without a credential. */
  hasSmallBody: boolean;
  /** Keeps integers of the body that a double cannot represent as text. */
  keepsIntegers: boolean;
  takesRawBody: boolean;
  /** A GET that starts something or does not end, so HEAD is refused. */
  isNoRead: boolean;
  takesIfMatch: boolean;
  hasETag: boolean;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Reads the bundle of openapi.yaml and its parts that prepare.mjs made; a new object at each call. */
export function readOpenApi(): OpenApiDocument {
  return JSON.parse(readFileSync(join(PROJECT_ROOT, 'dist/openapi.json'), 'utf8'));
}

export function parametersOf(document: OpenApiDocument, operation: OpenApiOperation): OpenApiParameter[] {
  return (operation.parameters ?? []).map((parameter) => {
    if (!('$ref' in parameter)) return parameter;
    const name = String(parameter.$ref).replace('#/components/parameters/', '');
    const found = document.components.parameters[name];
    if (!found) throw new Error(`openapi.yaml: ${operation.operationId} names an unknown parameter ${name}`);
    return found;
  });
}

/** Literal segments are before parameters, otherwise in document order. Throws without permission or success. */
export function routesOf(document: OpenApiDocument): Route[] {
  const routes: Route[] = [];
  const paths = Object.entries(document.paths).sort(([a], [b]) => literalFirst(a, b));
  for (const [path, item] of paths) {
    if (!path.startsWith('/api/')) continue;
    for (const method of METHODS) {
      const operation = item[method];
      if (operation) routes.push(routeOf(document, path, method, operation));
    }
  }
  return routes;
}

export function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Sorts fixed segments first, because the first match wins: `/bulk/retry` before `/{executionId}/retry`. */
export function literalFirst(a: string, b: string): number {
  const [x, y] = [variablesIn(a), variablesIn(b)];
  return x === y ? 0 : x < y ? -1 : 1;
}

/** `/api/projects/{projectId}` becomes `0001`, where 1 marks a parameter. */
function variablesIn(path: string): string {
  return path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '1' : '0'))
    .join('');
}

function routeOf(document: OpenApiDocument, path: string, method: Route['method'], operation: OpenApiOperation): Route {
  const isPublic = operation.security?.length === 0;
  // JavaScript sorts such keys ascending.
  const success = Object.keys(operation.responses).find((status) => /^[23]/.test(status));
  if (success === undefined) throw new Error(`openapi.yaml: ${operation.operationId} has no success status`);
  return {
    operationId: (operation['x-same-as'] ?? operation.operationId) as TableId,
    method,
    path,
    isPublic,
    permissions: isPublic ? undefined : permissionsOf(operation),
    resource: operation['x-resource'] as string | undefined,
    rowIds: isPublic ? [] : rowIdsOf(document, operation),
    successStatus: Number(success),
    hasBody: operation.requestBody !== undefined,
    takesIdempotencyKey: parametersOf(document, operation).some(({ name }) => name === 'Idempotency-Key'),
    isStream: 'text/event-stream' in (responseOf(document, operation, success).content ?? {}),
    isSecretAnswer: operation['x-secret-answer'] === true,
    showsSteps: operation['x-shows-steps'] === true,
    isBulk: operation['x-bulk'] === true,
    hasSmallBody: operation['x-small-body'] === true,
    keepsIntegers: operation['x-keeps-integers'] === true,
    takesRawBody: operation['x-raw-body'] === true,
    isNoRead: operation['x-no-read'] === true,
    takesIfMatch: parametersOf(document, operation).some(({ name }) => name === 'If-Match'),
    hasETag: 'ETag' in (responseOf(document, operation, success).headers ?? {}),
  };
}

interface OpenApiAnswer {
  content?: object;
  headers?: object;
}

function responseOf(document: OpenApiDocument, { responses }: OpenApiOperation, status: string): OpenApiAnswer {
  const { $ref, ...response } = responses[status] ?? {};
  if (typeof $ref !== 'string') return response;
  return document.components.responses[$ref.replace('#/components/responses/', '')] ?? {};
}

function permissionsOf({
  operationId,
  'x-permission': permissions,
}: OpenApiOperation): readonly Permission[] | undefined {
  if (permissions === null) return undefined;
  if (Array.isArray(permissions) && permissions.length > 0 && permissions.every(isPermission)) return permissions;
  throw new Error(`openapi.yaml: ${operationId} has neither a list of permissions as x-permission nor security: []`);
}

/** Public operations have one 404 for everything that they do not reveal, and check ids themselves. */
function rowIdsOf(document: OpenApiDocument, operation: OpenApiOperation): string[] {
  return parametersOf(document, operation)
    .filter(isRowId)
    .map(({ name }) => name);
}

export function isRowId({ in: place, schema }: OpenApiParameter): boolean {
  return place === 'path' && schema?.format === 'uuid';
}

/** Returns the name in a `$ref` to a schema of the document; undefined for anything else. */
export function schemaName(ref: unknown): string | undefined {
  return typeof ref === 'string' ? /^#\/components\/schemas\/(\w+)$/.exec(ref)?.[1] : undefined;
}
