/**
 * Places of wrong things, in one notation (`path` of a problem's errors): members as `nodes[0].inputs.url`, keys that
 * are no names as `headers["x y"]`, '' for the body itself. Parameters and headers have their names.
 */

const NAME = /^[A-Za-z_$][A-Za-z0-9_$-]*$/;

/** The path of a member or an entry of the value at the path. */
export function pathTo(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  if (!NAME.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** A path inside the value at `outer`, relative to the place of `outer`. */
export function inPath(outer: string, path: string): string {
  return path === '' || outer === '' || path.startsWith('[') ? `${outer}${path}` : `${outer}.${path}`;
}

/** The way into a value by keys as JSON Pointer has them, where `0` may be an entry or a member; beginning at `from`. */
export function pathIn(from: string, keys: readonly string[], root: unknown): string {
  let value = root;
  return keys.reduce((path, key) => {
    const place = pathTo(path, Array.isArray(value) && /^\d+$/.test(key) ? Number(key) : key);
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
    return place;
  }, from);
}

/** The keys of a JSON Pointer (RFC 6901). */
export function keysOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Whether the path is inside the value at `outer`. */
export function isInside(outer: string, path: string): boolean {
  return path.startsWith(outer) && /^[.[]/.test(path.slice(outer.length));
}

/** One line of `detail`: the place, if any, and the problem. */
export function placed({ path, message }: { path: string; message: string }): string {
  return path === '' ? message : `${path}: ${message}`;
}
