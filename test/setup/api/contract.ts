import { literalFirst, type OpenApiDocument, type OpenApiOperation } from '../../../api/openapi.ts';

type Node = Record<string, unknown>;

/** test/runner/documentedShapes.mjs; `errorsOf`: undefined where there are none. */
interface DocumentedShapes {
  document: OpenApiDocument;
  errorsOf(pointer: string, value: unknown): string | undefined;
}

const { documentedShapes } = globalThis as unknown as { documentedShapes: DocumentedShapes };
/** openapi.yaml. */
export const { document } = documentedShapes;
// As the API finds its operation: /bulk/retry is not the retry of an execution with the id `bulk`.
const paths = Object.keys(document.paths)
  .sort(literalFirst)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));

/** The path of openapi.yaml for this one without its query string, and its operation: undefined where it has none. */
export function documented(method: string, pathname: string): { path?: string; operation?: OpenApiOperation } {
  const path = paths.find(({ pattern }) => pattern.test(pathname))?.path;
  const operation = path === undefined ? undefined : document.paths[path]?.[method.toLowerCase()];
  return { ...(path === undefined ? {} : { path }), ...(operation ? { operation } : {}) };
}

export interface SeenAnswer {
  method: string;
  /** Without the query string. */
  path: string;
  status: number;
  contentType: string | undefined;
  /** Parsed where it is JSON; undefined where it is empty. */
  body: unknown;
}

/** Throws when openapi.yaml does not describe this answer: its status, its media type, or its shape. */
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

/** Throws when openapi.yaml does not describe this event of an execution's stream. */
export function checkEvent(event: { event: string; id: string | undefined; data: unknown }): void {
  checkSchema('ExecutionEvent', event);
}

/** Throws when the value, as JSON, is not as this schema of openapi.yaml says. */
export function checkSchema(name: string, value: object): void {
  checkShape(name, `/components/schemas/${name}`, JSON.parse(JSON.stringify(value)));
}

/** Where openapi.yaml describes the answer; undefined for problems of paths and methods that it does not have. */
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
