import type { IncomingHttpHeaders } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import type { RequestHandler } from 'express';
import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import { isTimestamp } from '../../domain/instant.ts';
import { keysOf, pathIn, placed } from '../../domain/place.ts';
import { Problem } from '../../domain/problem.ts';
import {
  expressPath,
  isRowId,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
  parametersOf,
  type Route,
  schemaName,
} from '../openapi.ts';
import { contractMessages, type ValidatorError } from './contractMessages.ts';

export interface RawRequest {
  url: string;
  headers: IncomingHttpHeaders;
  body: unknown;
  /** Raw size; an unknown size counts as small. */
  bodyBytes?: number;
}

export interface CheckedRequest {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
}

export type ContractCheck = (request: RawRequest) => Promise<CheckedRequest>;

/** More errors than people read would make answers larger than requests. */
const MAX_ERRORS = 100;

/** Larger bodies report one problem: collecting all blocks the process (a megabyte of unknown keys: half a second). */
const MAX_BYTES_IN_FULL = 131_072;

/**
 * Applies defaults and coerces parameters. Throws VALIDATION_FAILED with every wrong place, or for a large body the
 * first. express-openapi-validator compiles every path of its document for each request and caches a schema per
 * spelling of Content-Type, so it gets this route only and a plain object as request. It is built at the first request.
 */
export function contractCheck(document: OpenApiDocument, route: Route): ContractCheck {
  const chains = new Map<boolean, RequestHandler[]>();
  const chainFor = (allErrors: boolean): RequestHandler[] => {
    const chain = chains.get(allErrors) ?? validator(document, route, allErrors);
    chains.set(allErrors, chain);
    return chain;
  };
  const operation = document.paths[route.path]?.[route.method] as OpenApiOperation;
  const needsBody = operation.requestBody?.required === true;
  const parameters = parametersOf(document, operation);
  const lists = parameters.filter((each) => each['x-comma-separated'] === true).map(({ name }) => name);
  const prefixes = parameters.filter(isPrefixed);
  const messageOf = contractMessages(document, operation);
  return async ({ url, headers, body, bodyBytes = 0 }) => {
    if (needsBody && body === undefined) throw bodyMissing();
    const chain = chainFor(bodyBytes <= MAX_BYTES_IN_FULL);
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const given = mark < 0 ? {} : queryOf(url.slice(mark + 1), lists);
    const gathered = gather(given, prefixes);
    const request = {
      app: { enabled: () => false },
      method: route.method.toUpperCase(),
      path,
      url,
      originalUrl: url,
      baseUrl: '',
      headers: { ...headers, 'content-type': body === undefined ? undefined : 'application/json' },
      params: {},
      query: given,
      body,
    };
    for (const step of chain) {
      await run(step, request).catch((error: unknown) => {
        throw contractProblem(error, body, (each) => messageOf(each, given));
      });
    }
    requireFinite(request.query);
    return { params: request.params, query: { ...request.query, ...gathered }, body: request.body };
  };
}

/** The validator would report a missing body as an unsupported media type. */
function bodyMissing(): Problem {
  return new Problem('VALIDATION_FAILED', 'The body is missing: send it as application/json', {
    errors: [{ path: '', message: 'required: expected JSON' }],
  });
}

/** The validator accepts 1e999 as an integer. */
function requireFinite(query: Record<string, unknown>): void {
  const infinite = Object.entries(query).filter(([, value]) => typeof value === 'number' && !Number.isFinite(value));
  if (infinite.length === 0) return;
  const errors = infinite.map(([path]) => ({ path, message: 'is too large for a number' }));
  throw new Problem('VALIDATION_FAILED', errors.map(placed).join('; '), { errors });
}

/** `x-prefix`: collects all parameters whose names begin with it into one object. */
function isPrefixed(parameter: OpenApiParameter): parameter is OpenApiParameter & { 'x-prefix': string } {
  return typeof parameter['x-prefix'] === 'string';
}

/** Removes them from the query, because the validator cannot describe them. Throws VALIDATION_FAILED for duplicates. */
function gather(query: Record<string, unknown>, prefixes: readonly { name: string; 'x-prefix': string }[]) {
  const gathered: Record<string, Record<string, unknown>> = {};
  for (const { name, 'x-prefix': prefix } of prefixes) {
    const found = Object.entries(query).filter(([key]) => key.startsWith(prefix) && key.length > prefix.length);
    for (const [key, value] of found) {
      if (typeof value !== 'string') {
        const errors = [{ path: key, message: 'is given twice: expected one value' }];
        throw new Problem('VALIDATION_FAILED', `${key}: is given twice`, { errors });
      }
      delete query[key];
    }
    if (found.length > 0)
      gathered[name] = Object.fromEntries(found.map(([key, value]) => [key.slice(prefix.length), value]));
  }
  return gathered;
}

/** Parses the query; a list is either separated by commas or a repeated parameter. */
function queryOf(text: string, lists: readonly string[]): Record<string, unknown> {
  const query: Record<string, unknown> = { ...parseQuery(text) };
  for (const name of lists) if (Array.isArray(query[name])) query[name] = query[name].join(',');
  return query;
}

function run(step: RequestHandler, request: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (error?: unknown) => (error === undefined ? resolve() : reject(error));
    step(request as Parameters<RequestHandler>[0], {} as Parameters<RequestHandler>[1], next);
  });
}

/**
 * Skips the validator's loader, which compiles the schema of OpenAPI itself at each call: all routes took 7.6 s and now
 * take 1.3 (express-openapi-validator 5.6.2). `npm run lint` checks the document.
 */
function validator(document: OpenApiDocument, route: Route, allErrors: boolean): RequestHandler[] {
  const apiDoc = documentOf(document, route) as unknown as OpenAPIV3.DocumentV3_1;
  const options = {
    apiSpec: apiDoc,
    validateRequests: { coerceTypes: false, allErrors, allowUnknownQueryParameters: false },
    validateResponses: false,
    validateSecurity: false,
    validateFormats: true,
    // The default accepts 31 February, and years and offsets that the database refuses.
    formats: { 'date-time': isTimestamp },
    fileUploader: false,
  };
  const { path, method } = route;
  const only = {
    basePath: '',
    expressRoute: expressPath(path),
    openApiRoute: path,
    method: method.toUpperCase(),
    // Express would only use it for `app.param`.
    pathParams: [],
  };
  const spec = Promise.resolve({ apiDoc, basePaths: [''], routes: [only], serial: 0 });
  return new OpenApiValidator(options).installMiddleware(spec) as unknown as RequestHandler[];
}

/** Reduces the document to this route, because building a validator takes time by its size. */
function documentOf(document: OpenApiDocument, { path, method }: Route): object {
  const whole = document.paths[path]?.[method] as OpenApiOperation;
  const parameters = parametersOf(document, whole)
    .filter((parameter) => !isPrefixed(parameter))
    .map((parameter) => (isRowId(parameter) ? anyText(parameter) : parameter))
    .map(takenUnescaped);
  const operation = { ...whole, parameters, responses: { default: { description: 'not checked here' } } };
  const schemas: Record<string, unknown> = {};
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      const name = key === '$ref' ? schemaName(value) : undefined;
      if (name === undefined) visit(value);
      else if (!(name in schemas)) {
        schemas[name] = checkedHere(document.components.schemas[name] as object);
        visit(schemas[name]);
      }
    }
  };
  visit(operation);
  const { openapi, info } = document;
  return structuredClone({
    openapi,
    info,
    paths: { [path]: { [method]: operation } },
    components: { schemas },
  });
}

/** That code reports each problem at its node; the schema would report that none of ten alternatives matches. */
function checkedHere(schema: object): object {
  return 'x-checked-by' in schema ? {} : schema;
}

/** `checkRowIds` checks path ids afterwards. */
function anyText(parameter: OpenApiParameter): OpenApiParameter {
  return { ...parameter, schema: { type: 'string' } };
}

/** Values may contain `+` (a space) and unescaped `/?:@!$'()*,;` (RFC 3986, 3.4), which the validator refuses. */
function takenUnescaped(parameter: OpenApiParameter): OpenApiParameter {
  return parameter.in === 'query' ? { ...parameter, allowReserved: true } : parameter;
}

/** Converts the validator's own errors (`status`, `errors`) to a Problem; returns others unchanged. */
function contractProblem(error: unknown, body: unknown, messageOf: (error: ValidatorError) => string): unknown {
  if (!(error instanceof Error) || !('status' in error)) return error;
  if (error.status === 415) return new Problem('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json');
  if (error.status !== 400 && error.status !== 404) return error;
  const found = 'errors' in error && Array.isArray(error.errors) ? (error.errors as ValidatorError[]) : [];
  const errors = found
    .slice(0, MAX_ERRORS)
    .map((each) => ({ path: placeOfPointer(each.path, body), message: messageOf(each) }));
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return new Problem('VALIDATION_FAILED', first ? `${placed(first)}${more}` : error.message, { errors });
}

/** `/body/steps/0/inputs` becomes `steps[0].inputs`, `/query/limit` becomes `limit`, and the body itself ''. */
function placeOfPointer(pointer: string, body: unknown): string {
  const [part, ...keys] = keysOf(pointer).filter((key) => key !== '');
  return pathIn('', keys, part === 'body' ? body : undefined);
}
