/** The notation of `path` in errors: `nodes[0].inputs.url`, `headers["x y"]` for other keys, '' for the body. */

const NAME = /^[A-Za-z_$][A-Za-z0-9_$-]*$/;

export function pathTo(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  if (!NAME.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

export function inPath(outer: string, path: string): string {
  return path === '' || outer === '' || path.startsWith('[') ? `${outer}${path}` : `${outer}.${path}`;
}

/** Follows the keys of a JSON Pointer from `from`. The value decides whether `0` is an index or a member. */
export function pathIn(from: string, keys: readonly string[], root: unknown): string {
  let value = root;
  return keys.reduce((path, key) => {
    const place = pathTo(path, Array.isArray(value) && /^\d+$/.test(key) ? Number(key) : key);
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
    return place;
  }, from);
}

export function keysOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns the keys of a place: `nodes[1].inputs["x y"]` has `nodes`, 1, `inputs` and `x y`. */
export function keysOfPath(path: string): (string | number)[] {
  const keys: (string | number)[] = [];
  for (const [, name, index, quoted] of path.matchAll(/([^.[\]]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g)) {
    if (index !== undefined) keys.push(Number(index));
    else if (quoted !== undefined) keys.push(JSON.parse(quoted) as string);
    else if (name !== undefined) keys.push(name);
  }
  return keys;
}

export function isInside(outer: string, path: string): boolean {
  return path.startsWith(outer) && /^[.[]/.test(path.slice(outer.length));
}

export function placed({ path, message }: { path: string; message: string }): string {
  return path === '' ? message : `${path}: ${message}`;
}
