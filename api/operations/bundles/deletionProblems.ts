import { keyOf } from '../../../domain/bundle/bundle.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';
import { namedApps } from '../../../domain/reference/namedApps.ts';
import { namedBy } from '../../../domain/reference/namedBy.ts';
import { referencesIn } from '../../../domain/reference/references.ts';
import { type ComingUser, type User, usableKey, usersOfAll } from '../../../prisma/store/usedBy.ts';
import type { Services } from '../../services.ts';
import type { WantedResource } from './checkResources.ts';
import type { Plan } from './planOf.ts';

/** Reports deletions of resources that something remaining uses, or that contain data outside of bundles. */
export async function deletionProblems(
  { database, catalogue }: Services,
  { workspaceId, projectId }: { workspaceId: string; projectId: string },
  { wanted, deleted }: Plan,
): Promise<ProblemDetail[]> {
  if (deleted.length === 0) return [];
  const coming = wanted.flatMap((each) => comingUser(each, projectId, catalogue));
  const users = await usersOfAll(database, workspaceId, deleted, coming);
  return deleted.flatMap((each): ProblemDetail[] => {
    const said = sentences(users.get(usableKey(each)) ?? []);
    return said.length === 0
      ? []
      : [{ path: 'delete', message: `${keyOf(each)} cannot be deleted: ${said.join('; ')}` }];
  });
}

function comingUser(
  { kind, id, slug, fields }: WantedResource,
  projectId: string,
  catalogue: Services['catalogue'],
): ComingUser[] {
  if (kind !== 'workflow' && kind !== 'agent' && kind !== 'objectType') return [];
  const users = [kind === 'workflow' ? fields.nodes : kind === 'agent' ? fields.tools : []].flat() as {
    appId?: string;
  }[];
  const named = namedBy([...referencesIn(kind, fields, catalogue), ...namedApps(users, catalogue)]);
  return [{ type: kind, id, name: typeof fields.name === 'string' ? fields.name : slug, projectId, named }];
}

const CONTENTS: Record<string, string> = { object: 'entities of this type exist', document: 'documents exist in it' };

function sentences(users: readonly User[]): string[] {
  const by = users.flatMap((user) => ('count' in user ? [] : [`${user.type} ${user.name}`]));
  const contents = users.flatMap((user) => ('count' in user ? [`${user.count} ${CONTENTS[user.type]}`] : []));
  return by.length === 0 ? contents : [`${by.join(', ')} ${by.length === 1 ? 'uses' : 'use'} it`, ...contents];
}
