import type { ProblemDetail } from '../../../../domain/problem.ts';
import { type Definition, TRIGGER_ID } from '../../../../domain/workflow/definition.ts';

/** Splits `nodes[1].inputs["x y"]` into keys. */
export function keysOfPath(path: string): (string | number)[] {
  const keys: (string | number)[] = [];
  for (const [, name, index, quoted] of path.matchAll(/([^.[\]]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g)) {
    if (index !== undefined) keys.push(Number(index));
    else if (quoted !== undefined) keys.push(JSON.parse(quoted) as string);
    else if (name !== undefined) keys.push(name);
  }
  return keys;
}

export interface ProblemPlace {
  /** Id of the node, `trigger`, or undefined for the workflow itself. */
  node: string | undefined;
  /** The place in its form: `inputs.title`. */
  field: string;
}

export type PlacedProblem = ProblemPlace & {
  path: string;
  message: string;
  /** A required value is missing. */
  isLack: boolean;
};

export function placeOf({ path, nodeId }: ProblemDetail, { nodes, edges }: Definition): ProblemPlace {
  const [root, index] = keysOfPath(path);
  if (root === 'trigger') return { node: TRIGGER_ID, field: path.replace(/^trigger\.?/, '') };
  if (root === 'nodes' && typeof index === 'number') {
    return { node: nodes[index]?.id ?? nodeId, field: path.replace(/^nodes\[\d+\]\.?/, '') };
  }
  if (root === 'edges' && typeof index === 'number') return { node: edges[index]?.source, field: '' };
  return { node: nodeId, field: path };
}

export const isWithin = (place: string, whole: string): boolean =>
  place === whole || (place.startsWith(whole) && /^[.[]/.test(place.slice(whole.length)));

/** Returns the problems that a field shows: its own, and those inside its value. */
export function problemsAt(
  problems: readonly (ProblemPlace & { message: string })[],
  field: string,
  say: (message: string) => string,
): string | undefined {
  const own = problems.filter((one) => isWithin(one.field, field));
  if (own.length === 0) return undefined;
  return own
    .map((one) =>
      one.field === field
        ? say(one.message)
        : `${one.field.slice(field.length).replace(/^\./, '')}: ${say(one.message)}`,
    )
    .join('\n');
}
