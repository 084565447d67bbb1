/**
 * Places of wrong things, in one notation (`path` of a problem's errors): members as `nodes[0].inputs.url`, keys that are no
 * names as `headers["x y"]`, '' for the body itself. Parameters and headers are told by their names.
 */

const NAME = /^[A-Za-z_$][A-Za-z0-9_$-]*$/;

/** A member or an entry of what stands at the path. */
export function pathTo(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  if (!NAME.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** A path of what stands at `outer`, from where that stands. */
export function inPath(outer: string, path: string): string {
  return path === '' || outer === '' || path.startsWith('[') ? `${outer}${path}` : `${outer}.${path}`;
}

/** Whether the path leads to something inside what stands at `outer`. */
export function isInside(outer: string, path: string): boolean {
  return path.startsWith(outer) && /^[.[]/.test(path.slice(outer.length));
}

/** One line of `detail`: the place where there is one, and what is wrong. */
export function placed({ path, message }: { path: string; message: string }): string {
  return path === '' ? message : `${path}: ${message}`;
}
