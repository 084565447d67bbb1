import { literalFirst, type OpenApiDocument, type OpenApiOperation } from '../../../api/openapi.ts';

type Node = Record<string, unknown>;

/** See test/runner/documentedShapes.mjs; `errorsOf` returns undefined if there are none. */
interface DocumentedShapes {
  document: OpenApiDocument;
  errorsOf(pointer: string, value: unknown): string | undefined;
}

const { documentedShapes } = globalThis as unknown as { documentedShapes: DocumentedShapes };
export const { document } = documentedShapes;
// Sorted like the API's routes: /bulk/retry is not the retry of an execution with the id `bulk`.
const paths = Object.keys(document.paths)
  .sort(literalFirst)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));

/** Returns the path and the operation of openapi.yaml for a path without its query string, or undefined. */
export function documented(method: string, pathname: string): { path?: string; operation?: OpenApiOperation } {
  const path = paths.find(({ pattern }) => pattern.test(pathname))?.path;
  const operation = path === undefined ? undefined : document.paths[path]?.[method.toLowerCase()];
  return { ...(path === undefined ? {} : { path }), ...(operation ? { operation } : {}) };
}

export interface SeenAnswer {
  method: string;
  path: string;
  status: number;
  contentType: string | undefined;
  /** Parsed if it is JSON; undefined if it is empty. */
  body: unknown;
}

/** Throws if openapi.yaml does not describe this response: its status, its media type, or its shape. */
export function checkAnswer(answer: SeenAnswer): void {
  const place = `${answer.method} ${answer.path} → ${answer.status}`;
  const pointer = responsePointer(answer);
  if (pointer === undefined) {
    checkShape(place, '/components/schemas/Problem', answer.body);
    return;
  }
  const content = at(pointer).content as Node | undefined;
  if (content === undefined) {
    if (answer.body !== undefined) throw new Error(`${place}: openapi.yaml says that there is no body`);
    return;
  }
  const type = answer.contentType?.split(';')[0]?.trim() ?? '';
  const known = type in content ? type : '*/*' in content ? '*/*' : undefined;
  if (known === undefined) throw new Error(`${place}: ${type || 'no body'} is not in openapi.yaml`);
  if (type === 'application/problem+json') checkShape(place, '/components/schemas/Problem', answer.body);
  else if (known !== 'text/event-stream') {
    checkShape(place, `${pointer}/content/${escaped(known)}/schema`, answer.body);
  }
}

export function checkEvent(event: { event: string; id: string | undefined; data: unknown }): void {
  checkSchema('ExecutionEvent', event);
}

/** Throws if the value, as JSON, does not match this schema of openapi.yaml. */
export function checkSchema(name: string, value: object): void {
  checkShape(name, `/components/schemas/${name}`, JSON.parse(JSON.stringify(value)));
}

/** Returns the pointer to the response in openapi.yaml; undefined for problems of unknown paths and methods. */
function responsePointer({ method, path, status }: SeenAnswer): string | undefined {
  const { path: found, operation } = documented(method, path);
  if (found === undefined || !operation) {
    if (status === (found === undefined ? 404 : 405)) return undefined;
    throw new Error(`${method} ${path} → ${status}: openapi.yaml has no such operation`);
  }
  const key = String(status) in operation.responses ? String(status) : 'default';
  const response = operation.responses[key];
  if (!response) throw new Error(`${method} ${path} → ${status}: openapi.yaml does not have this status`);
  if (typeof response.$ref === 'string') return response.$ref.slice(1);
  return `/paths/${escaped(found)}/${method.toLowerCase()}/responses/${key}`;
}

function checkShape(place: string, pointer: string, body: unknown): void {
  const errors = documentedShapes.errorsOf(pointer, body);
  if (errors === undefined) return;
  throw new Error(`${place}: not as openapi.yaml says: ${errors}\n${JSON.stringify(body)}`);
}

function at(pointer: string): Node {
  const names = pointer
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<Node>((node, name) => node[name] as Node, document);
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
