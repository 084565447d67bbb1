import { pathTo } from '../place.ts';
import type { ProblemDetail } from '../problem.ts';
import { type BundleKind, keyOf } from './bundle.ts';

/** A new slug for a stored resource, which keeps its id. */
export interface Move {
  kind: BundleKind;
  from: string;
  to: string;
}

/** Reports moves that contradict each other or the bundle. `keys` are the resources of the bundle, by keyOf. */
export function moveProblems(moves: readonly Move[], keys: ReadonlySet<string>): ProblemDetail[] {
  const targets = targetsOf(moves);
  const seen = new Set<string>();
  return moves.flatMap(({ kind, from, to }, index): ProblemDetail[] => {
    const at = (member: string, message: string) => [{ path: pathTo(pathTo('moved', index), member), message }];
    const key = keyOf({ kind, slug: from });
    if (seen.has(key)) return at('from', `${kind} ${from} is moved twice`);
    seen.add(key);
    if (from === to) return at('to', `expected another slug than ${from}`);
    if (keys.has(key)) return at('from', `${kind} ${from} is still there: expected it only under its new slug`);
    const slug = targets.get(key);
    if (slug === undefined) return at('to', `${kind} ${to} leads back to ${from}`);
    return keys.has(keyOf({ kind, slug })) ? [] : at('to', `there is no ${kind} ${slug} to move to`);
  });
}

export interface Renames {
  /** By the key of the stored resource: its new slug. */
  slugs: ReadonlyMap<string, string>;
  problems: ProblemDetail[];
}

/** Returns what valid moves rename. A move that was already made changes nothing; two candidates are a problem. */
export function renamesOf(moves: readonly Move[], stored: ReadonlySet<string>): Renames {
  const slugs = new Map<string, string>();
  const problems: ProblemDetail[] = [];
  const targets = targetsOf(moves);
  const taken = new Map<string, string>();
  for (const [index, { kind, from }] of moves.entries()) {
    const key = keyOf({ kind, slug: from });
    const slug = targets.get(key);
    if (slug === undefined || !stored.has(key)) continue;
    const target = keyOf({ kind, slug });
    const other = stored.has(target) ? target : taken.get(target);
    if (other !== undefined) {
      const message = `the project has both ${key} and ${other}: delete one of them, or remove this move`;
      problems.push({ path: pathTo(pathTo('moved', index), 'from'), message });
      continue;
    }
    taken.set(target, key);
    slugs.set(key, slug);
  }
  return { slugs, problems };
}

/** Follows moves of moves: by the key of `from`, the last slug. A circle has none. */
function targetsOf(moves: readonly Move[]): Map<string, string> {
  const next = new Map(moves.map(({ kind, from, to }) => [keyOf({ kind, slug: from }), to]));
  const targets = new Map<string, string>();
  for (const { kind, from, to } of moves) {
    let slug = to;
    let left = moves.length;
    for (let further = next.get(keyOf({ kind, slug })); further !== undefined && left > 0; left -= 1) {
      slug = further;
      further = next.get(keyOf({ kind, slug }));
    }
    if (left > 0) targets.set(keyOf({ kind, slug: from }), slug);
  }
  return targets;
}
