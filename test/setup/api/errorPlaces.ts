import { parametersOf } from '../../../api/openapi.ts';
import { document, documented } from './contract.ts';

const PART = /\.?([A-Za-z_$][A-Za-z0-9_$-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;

/** Parses `nodes[0]["x y"]` to `['nodes', 0, 'x y']`. */
export function partsOf(path: string): (string | number)[] {
  const parts: (string | number)[] = [];
  PART.lastIndex = 0;
  while (PART.lastIndex < path.length) {
    const found = PART.exec(path);
    if (!found) throw new Error(`${path} is no place: see the path of ProblemDetail in openapi.yaml`);
    const [, name, index, key] = found;
    parts.push(name ?? (index === undefined ? JSON.parse(key as string) : Number(index)));
  }
  return parts;
}

/** Throws if a problem's path is no parameter or header of the operation and no sent or missing member of the body. */
export function checkPlaces(method: string, url: URL, sent: unknown, answer: unknown): void {
  const { errors } = (answer ?? {}) as { errors?: unknown };
  if (!Array.isArray(errors)) return;
  const parameters = parametersAt(method, url);
  for (const { path } of errors as { path?: unknown }[]) {
    if (typeof path !== 'string') continue;
    const parts = partsOf(path);
    const isParameter = parts.length === 1 && (parameters.has(path) || url.searchParams.has(path));
    if (isParameter || isIn(sent, parts)) continue;
    const body = typeof sent === 'string' ? sent : JSON.stringify(sent);
    throw new Error(
      `${method} ${url.pathname}${url.search}: the request has no ${path}: ${String(body).slice(0, 2_000)}`,
    );
  }
}

function parametersAt(method: string, { pathname }: URL): Set<string> {
  const { operation } = documented(method, pathname);
  return new Set(['Host', ...(operation ? parametersOf(document, operation).map(({ name }) => name) : [])]);
}

/** Returns true if the path exists or is missing in an existing object. Text bodies are not parsed. */
function isIn(sent: unknown, parts: readonly (string | number)[]): boolean {
  let value = sent ?? {};
  if (typeof value === 'string') return true;
  for (const part of parts) {
    if (value === undefined || value === null) return true;
    if (typeof value !== 'object') return false;
    if (Array.isArray(value) !== (typeof part === 'number')) return false;
    if (typeof part === 'number' && part >= (value as unknown[]).length) return false;
    value = (value as Record<string, unknown>)[part] as object;
  }
  return true;
}
