import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPermission, type Permission } from '../domain/access/permission.ts';
import { PROJECT_ROOT } from '../projectRoot.ts';
import type { operations } from './contract.ts';

type JsonNode = Record<string, unknown>;

export interface OpenApiDocument extends JsonNode {
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { parameters: Record<string, OpenApiParameter>; schemas: Record<string, JsonNode> } & JsonNode;
}

export interface OpenApiParameter extends JsonNode {
  name: string;
  in: string;
  description: string;
}

export interface OpenApiOperation extends JsonNode {
  operationId: string;
  security?: unknown[];
  parameters?: ({ $ref: string } | OpenApiParameter)[];
  requestBody?: JsonNode;
  responses: Record<string, JsonNode>;
}

/** What the pipeline needs to know of an operation under `/api`. */
export interface Route {
  operationId: keyof operations;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As openapi.yaml writes it: `/api/projects/{projectId}`. */
  path: string;
  isPublic: boolean;
  /** Undefined: any credential will do. */
  permission: Permission | undefined;
  successStatus: number;
  hasBody: boolean;
  takesIdempotencyKey: boolean;
  /** The answer may wait for an execution to end. */
  waits: boolean;
  /** Bodies up to MAX_BULK_BODY_BYTES. */
  isBulk: boolean;
  /** Takes bodies of any media type, which the operation reads. */
  takesRawBody: boolean;
  /** A GET that starts something or does not end: it is not answered to HEAD. */
  isNoRead: boolean;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** openapi.yaml and its parts as one document, a new one at each call: what prepare.mjs has bundled. */
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

/** Every operation under `/api`, in the document's order. Throws on an operation without permission or success. */
export function routesOf(document: OpenApiDocument): Route[] {
  const routes: Route[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    if (!path.startsWith('/api/')) continue;
    for (const method of METHODS) {
      const operation = item[method];
      if (operation) routes.push(routeOf(document, path, method, operation));
    }
  }
  return routes;
}

function routeOf(document: OpenApiDocument, path: string, method: Route['method'], operation: OpenApiOperation): Route {
  const permission = operation['x-permission'];
  const isPublic = operation.security?.length === 0;
  if (!isPublic && permission !== null && !(typeof permission === 'string' && isPermission(permission))) {
    throw new Error(`openapi.yaml: ${operation.operationId} has neither x-permission nor security: []`);
  }
  const success = Object.keys(operation.responses).find((status) => status.startsWith('2'));
  if (success === undefined) throw new Error(`openapi.yaml: ${operation.operationId} has no success status`);
  return {
    operationId: operation.operationId as keyof operations,
    method,
    path,
    isPublic,
    permission: isPublic || permission === null ? undefined : (permission as Permission),
    successStatus: Number(success),
    hasBody: operation.requestBody !== undefined,
    takesIdempotencyKey: parametersOf(document, operation).some(({ name }) => name === 'Idempotency-Key'),
    waits: operation['x-waits'] === true,
    isBulk: operation['x-bulk'] === true,
    takesRawBody: operation['x-raw-body'] === true,
    isNoRead: operation['x-no-read'] === true,
  };
}
