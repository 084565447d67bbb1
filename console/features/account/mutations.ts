import { ME } from '../../app/api/me.ts';
import { QUERIES } from '../../app/api/queries.ts';
import { client } from '../../app/session/session.ts';
import { INVITATION_LIST, SESSION_LIST } from './queries.ts';

/** Refreshes all queries: lists of people, entries and executions show the person's name, too. */
export const refreshEverything = (): Promise<void> => QUERIES.invalidateQueries();
export const refreshMe = (): Promise<void> => QUERIES.invalidateQueries({ queryKey: ME.queryKey });
export const refreshSessions = (): Promise<void> => QUERIES.invalidateQueries({ queryKey: SESSION_LIST });

export const changeName = (name: string) => client.updateCurrentUser({ body: { name } });

/** `currentPassword` is absent for a person who has none yet. */
export const changePassword = (body: { password: string; currentPassword?: string }) => client.changePassword({ body });

export const enrollSecondFactor = (password: string) => client.enrollSecondFactor({ body: { password } });

/** Proves that the person's app has the secret. Returns the backup codes. */
export async function confirmSecondFactor(token: string): Promise<string[]> {
  return (await client.confirmSecondFactor({ body: { token } })).backupCodes;
}

export async function renewBackupCodes(token: string): Promise<string[]> {
  return (await client.renewBackupCodes({ body: { token } })).backupCodes;
}

export async function disableSecondFactor(password: string, token: string): Promise<void> {
  await client.disableSecondFactor({ body: { password, token } });
}

/** The caller refreshes the list, after it has removed the invitation from the page's address. */
export async function answerInvitation(invitationId: string, accepts: boolean): Promise<void> {
  const path = { invitationId };
  if (accepts) await client.acceptInvitation({ path });
  else await client.declineInvitation({ path });
}

export async function refreshInvitations(): Promise<void> {
  await Promise.all([QUERIES.invalidateQueries({ queryKey: INVITATION_LIST }), refreshMe()]);
}

export async function leaveWorkspace(workspaceId: string, apiKeys: 'revoke' | 'keep'): Promise<void> {
  await client.leaveWorkspace({ path: { workspaceId }, query: { apiKeys } });
}

/** Returns the tokens of a session in another workspace. The session here remains until the person leaves it. */
export const switchWorkspace = (workspaceId: string) => client.switchWorkspace({ body: { workspaceId } });

export async function endSession(sessionId: string): Promise<void> {
  await client.revokeSession({ path: { sessionId } });
  await refreshSessions();
}

/** Returns the number of ended sessions. The caller refreshes the list. */
export async function endOtherSessions(): Promise<number> {
  let ended = 0;
  for await (const { id, isCurrent } of client.paginate('listSessions')) {
    if (isCurrent) continue;
    await client.revokeSession({ path: { sessionId: id } });
    ended += 1;
  }
  return ended;
}
