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

/** The parts of a request that openapi.yaml speaks of. */
export interface RawRequest {
  /** Path and query string, as they came. */
  url: string;
  headers: IncomingHttpHeaders;
  /** Parsed; undefined where there is none. */
  body: unknown;
  /** As it came; one of unknown size counts as small. */
  bodyBytes?: number;
}

export interface CheckedRequest {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
}

export type ContractCheck = (request: RawRequest) => Promise<CheckedRequest>;

/** More errors than a person reads make answers that are larger than requests. */
const MAX_ERRORS = 100;

/**
 * Of a larger body the first problem alone is named: it may have one for each few bytes, which the validator would all
 * gather, and nobody else has their turn meanwhile (a megabyte of unknown keys: half a second).
 */
const MAX_BYTES_IN_FULL = 131_072;

/**
 * Checks requests of one route against openapi.yaml with express-openapi-validator; applies defaults and coerces
 * parameters. Throws VALIDATION_FAILED with every wrong place, of a large body with the first.
 *
 * The validator gets a document of this route alone and a plain object in place of Express's request: it compiles every
 * path of its document again for each request, and keeps one compiled schema for each spelling of Content-Type. It is
 * built at the first request, since building takes some milliseconds.
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

/** The validator would say of a request without a body that its media type is not supported. */
function bodyMissing(): Problem {
  return new Problem('VALIDATION_FAILED', 'The body is missing: send it as application/json', {
    errors: [{ path: '', message: 'required: expected JSON' }],
  });
}

/** The validator takes 1e999 for an integer. */
function requireFinite(query: Record<string, unknown>): void {
  const infinite = Object.entries(query).filter(([, value]) => typeof value === 'number' && !Number.isFinite(value));
  if (infinite.length === 0) return;
  const errors = infinite.map(([path]) => ({ path, message: 'is larger than a number can be' }));
  throw new Problem('VALIDATION_FAILED', errors.map(placed).join('; '), { errors });
}

/** `x-prefix`: one object of all parameters whose names begin so, by the rest of their names. */
function isPrefixed(parameter: OpenApiParameter): parameter is OpenApiParameter & { 'x-prefix': string } {
  return typeof parameter['x-prefix'] === 'string';
}

/**
 * Removes them from the query, because the validator cannot describe them. Throws VALIDATION_FAILED for a repeated one.
 */
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

/** The query; a list with commas may also stand as the same parameter several times. */
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
 * The validator's chain without its loader, which compiles the schema of OpenAPI itself at each call, also where the
 * document is not to be checked: all routes took 7.6 s, and take 1.3 (express-openapi-validator 5.6.2). `npm run lint`
 * checks the document.
 */
function validator(document: OpenApiDocument, route: Route, allErrors: boolean): RequestHandler[] {
  const apiDoc = documentOf(document, route) as unknown as OpenAPIV3.DocumentV3_1;
  const options = {
    apiSpec: apiDoc,
    validateRequests: { coerceTypes: false, allErrors, allowUnknownQueryParameters: false },
    validateResponses: false,
    validateSecurity: false,
    validateFormats: true,
    // Its own takes 31 February, and years and offsets that the database does not.
    formats: { 'date-time': isTimestamp },
    fileUploader: false,
  };
  const { path, method } = route;
  const only = {
    basePath: '',
    expressRoute: expressPath(path),
    openApiRoute: path,
    method: method.toUpperCase(),
    // Only for `app.param`, by which Express would convert them.
    pathParams: [],
  };
  const spec = Promise.resolve({ apiDoc, basePaths: [''], routes: [only], serial: 0 });
  return new OpenApiValidator(options).installMiddleware(spec) as unknown as RequestHandler[];
}

/**
 * The part of the document that this route's check needs: building a validator costs time by the size of its document.
 */
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

/**
 * The code named by `x-checked-by` (domain/workflow/validate) reports each problem with its node; the schemas of nodes,
 * edges and triggers would only report that none of ten alternatives matches, and slower.
 */
function checkedHere(schema: object): object {
  return 'x-checked-by' in schema ? {} : schema;
}

/** `checkRowIds` checks row ids in the path afterwards. */
function anyText(parameter: OpenApiParameter): OpenApiParameter {
  return { ...parameter, schema: { type: 'string' } };
}

/**
 * `allowReserved` says how clients write a value. Any value may hold `+`, which is a space in a query, and `/?:@!$'()*,;`
 * as they are (RFC 3986, 3.4); the validator would refuse them.
 */
function takenUnescaped(parameter: OpenApiParameter): OpenApiParameter {
  return parameter.in === 'query' ? { ...parameter, allowReserved: true } : parameter;
}

/** The validator's own error (`status`, `errors`) as a Problem; anything else as it is. */
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

/** `/body/steps/0/inputs` reads `steps[0].inputs`, `/query/limit` `limit`; the body itself is ''. */
function placeOfPointer(pointer: string, body: unknown): string {
  const [part, ...keys] = keysOf(pointer).filter((key) => key !== '');
  return pathIn('', keys, part === 'body' ? body : undefined);
}
