/**
 * Keys of scopes: '' is the top, `outer:3` the fourth iteration of the loop `outer`, `outer:3/inner:0` the first
 * iteration of `inner` in it. Rows contain them, so the format never changes. The keys are not sortable.
 */

export interface IterationPart {
  loopId: string;
  /** Key of the loop's own scope. */
  parent: string;
  index: number;
}

/** Returns the common prefix of the keys of all iterations of a loop. */
export function loopKey(parent: string, loopId: string): string {
  return parent === '' ? loopId : `${parent}/${loopId}`;
}

export function iterationKey(parent: string, loopId: string, index: number): string {
  return `${loopKey(parent, loopId)}:${index}`;
}

/** Returns the loops around a scope, outermost first. */
export function iterationParts(key: string): IterationPart[] {
  let parent = '';
  return (key === '' ? [] : key.split('/')).map((text) => {
    const colon = text.lastIndexOf(':');
    const part = { loopId: text.slice(0, colon), parent, index: Number(text.slice(colon + 1)) };
    parent = iterationKey(parent, part.loopId, part.index);
    return part;
  });
}

/** Returns the keys of a scope and of all enclosing scopes, top first. */
export function scopeKeys(key: string): string[] {
  return ['', ...iterationParts(key).map(({ parent, loopId, index }) => iterationKey(parent, loopId, index))];
}
