import { keyOf } from '../../../domain/bundle/bundle.ts';
import { usersOf } from '../../../domain/bundle/users.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';
import { readContents, readOtherUsers } from '../../../prisma/store/bundle/usersOfGone.ts';
import type { Services } from '../../services.ts';
import type { Plan } from './planOf.ts';
import type { ProjectState } from './projectState.ts';

/** What a bundle would delete although something that stays uses it, or it holds what no bundle has. */
export async function deletionProblems(
  { database, catalogue }: Services,
  { workspaceId, projectId }: { workspaceId: string; projectId: string },
  state: ProjectState,
  { wanted, deleted }: Plan,
): Promise<ProblemDetail[]> {
  if (deleted.length === 0) return [];
  const gone = new Set([...deleted, ...wanted].map(keyOf));
  const kept = [...wanted, ...state.resources.filter((each) => !gone.has(keyOf(each)))];
  const [others, contents] = await Promise.all([
    readOtherUsers(database, workspaceId, projectId, deleted),
    readContents(database, workspaceId, deleted),
  ]);
  const users = usersOf(deleted, [...kept, ...others], catalogue);
  return deleted.flatMap((each): ProblemDetail[] => {
    const by = users.get(keyOf(each)) ?? [];
    const said = [
      ...(by.length > 0 ? [`${by.join(', ')} ${by.length === 1 ? 'uses' : 'use'} it`] : []),
      ...(contents.get(each.id) ?? []),
    ];
    return said.length === 0
      ? []
      : [{ path: 'delete', message: `${keyOf(each)} cannot be deleted: ${said.join('; ')}` }];
  });
}
