import type { Answer, Arguments } from 'perdure-client';
import type { Role } from '../../../domain/access/permission.ts';
import { ME } from '../../app/api/me.ts';
import { QUERIES } from '../../app/api/queries.ts';
import { client } from '../../app/session/session.ts';
import { PEOPLE_LIST } from './queries.ts';

export type Invitation = Answer<'renewInvitation'>;

const refreshPeople = () => QUERIES.invalidateQueries({ queryKey: PEOPLE_LIST });

export async function invitePerson(body: Arguments<'addWorkspaceUser'>['body']) {
  const added = await client.addWorkspaceUser({ body });
  await refreshPeople();
  return added;
}

export const renewInvitation = (userId: string): Promise<Invitation> => client.renewInvitation({ path: { userId } });

export async function changeRole(userId: string, role: Role, isOwn: boolean): Promise<void> {
  await client.updateWorkspaceUser({ path: { userId }, body: { role } });
  // A person's own new role changes what the whole page shows and allows.
  await (isOwn ? QUERIES.invalidateQueries({ queryKey: ME.queryKey }) : refreshPeople());
}

export async function resetSecondFactor(userId: string): Promise<void> {
  await client.resetSecondFactor({ path: { userId } });
  await refreshPeople();
}

export async function removePerson(userId: string, apiKeys: 'revoke' | 'keep'): Promise<void> {
  await client.removeWorkspaceUser({ path: { userId }, query: { apiKeys } });
  await refreshPeople();
}
