import { keyOf, type StoredResource } from '../../../domain/bundle/bundle.ts';
import { type Move, moveProblems, renamesOf } from '../../../domain/bundle/moves.ts';
import { Names } from '../../../domain/bundle/names.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';
import { readSlugUsers } from '../../../prisma/store/bundle/slugUsers.ts';
import type { Services } from '../../services.ts';
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

/** Reports definitions outside of the bundle that name a renamed resource by its old slug. */
export async function slugUserProblems(
  { database }: Pick<Services, 'database'>,
  workspaceId: string,
  state: ProjectState,
  given: readonly { id: string }[],
): Promise<ProblemDetail[]> {
  const moved = state.resources.flatMap(({ kind, id, movedFrom }) =>
    movedFrom === undefined ? [] : [{ kind, id, slug: movedFrom }],
  );
  const ids = given.map(({ id }) => id);
  const users = await readSlugUsers(database, workspaceId, moved, ids);
  return users.map(({ kind, slug, type, name }) => ({
    path: 'moved',
    message: `${kind} ${slug} cannot be moved: ${type} ${name}, which is not in the bundle, names it by its slug`,
  }));
}
