import { keyOf, type StoredResource } from '../../../domain/bundle/bundle.ts';
import { type Move, moveProblems, renamesOf } from '../../../domain/bundle/moves.ts';
import { Names } from '../../../domain/bundle/names.ts';
import { inPath } from '../../../domain/place.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';
import { referencesIn } from '../../../domain/reference/references.ts';
import { readSlugUsers } from '../../../prisma/store/bundle/slugUsers.ts';
import type { Services } from '../../services.ts';
import type { WantedResource } from './checkResources.ts';
import { asSeen, type ProjectState } from './projectState.ts';

export interface Moving {
  projectId: string;
  moves: readonly Move[];
  resources: readonly { kind: string; slug: string }[];
}

/** Returns the state with the slugs that the bundle's moves give to stored resources. Its hash stays. */
export function movedState(
  state: ProjectState,
  { projectId, moves, resources }: Moving,
): { state: ProjectState; problems: ProblemDetail[] } {
  if (moves.length === 0) return { state, problems: [] };
  const invalid = moveProblems(moves, new Set(resources.map(keyOf)));
  if (invalid.length > 0) return { state, problems: invalid };
  const { slugs, problems } = renamesOf(moves, new Set(state.resources.map(keyOf)));
  const ids = new Map(state.resources.flatMap((each) => (slugs.has(keyOf(each)) ? [[each.id, each] as const] : [])));
  const renamed = state.resources.map((each): StoredResource => {
    const slug = slugs.get(keyOf(each));
    return slug === undefined ? each : { ...each, slug, movedFrom: each.slug };
  });
  const rows = state.rows.map((row) => {
    const moved = ids.get(row.id);
    return moved === undefined ? row : { ...row, slug: slugs.get(keyOf(moved)) as string };
  });
  return { state: { ...state, resources: renamed, rows, names: new Names(projectId, rows.map(asSeen)) }, problems };
}

/** Reports definitions that name a renamed resource by its old slug, in the bundle or elsewhere. */
export async function slugUserProblems(
  { database, catalogue }: Pick<Services, 'database' | 'catalogue'>,
  workspaceId: string,
  { resources }: ProjectState,
  wanted: readonly WantedResource[],
): Promise<ProblemDetail[]> {
  const moved = resources.flatMap(({ kind, id, slug, movedFrom }) =>
    movedFrom === undefined ? [] : [{ kind, id, slug: movedFrom, to: slug }],
  );
  if (moved.length === 0) return [];
  const targets = new Map(moved.map((each) => [keyOf(each), each.to]));
  const inBundle = wanted.flatMap(({ kind, path, body }) => {
    if (kind !== 'workflow' && kind !== 'agent' && kind !== 'objectType') return [];
    return referencesIn(kind, body, catalogue).flatMap((each): ProblemDetail[] => {
      const to = each.by === 'slug' ? targets.get(keyOf({ kind: each.kind, slug: each.name })) : undefined;
      if (to === undefined) return [];
      return [
        { path: inPath(path, each.path), message: `${each.kind} ${each.name} is moved to ${to}: expected ${to}` },
      ];
    });
  });
  const ids = wanted.map(({ id }) => id);
  const users = await readSlugUsers(database, workspaceId, moved, ids);
  const elsewhere = users.map(({ kind, slug, type, name }) => ({
    path: 'moved',
    message: `${kind} ${slug} cannot be moved: ${type} ${name}, which is not in the bundle, names it by its slug`,
  }));
  return [...inBundle, ...elsewhere];
}
