import type { Role } from '../../domain/access/permission.ts';
import { api } from './client.ts';
import { fromElsewhere } from './fromElsewhere.ts';
import type { TestWorkspace } from './workspace.ts';

export interface LoggedIn {
  access_token: string;
  refresh_token: string;
}

/** Tokens of a person, or another answer of the login. */
export async function logIn(
  { url }: Pick<TestWorkspace, 'url'>,
  { email, password, workspaceId }: { email: string; password: string; workspaceId?: string },
): Promise<LoggedIn> {
  const body = { email, password, ...(workspaceId === undefined ? {} : { workspaceId }) };
  const answer = await api(url)('POST', '/api/auth/login', { body, headers: fromElsewhere() });
  if (answer.body?.access_token === undefined) throw new Error(`the login answered ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** A new person of the workspace, logged in through the invitation. */
export async function newMember({ url, apiKey }: Pick<TestWorkspace, 'url' | 'apiKey'>, role: Role) {
  const email = `${role}-${crypto.randomUUID()}@test.local`;
  const added = await api(url, apiKey)('POST', '/api/workspace/users', { body: { email, name: role, role } });
  if (added.status !== 201) throw new Error(`the addition answered ${JSON.stringify(added.body)}`);
  const token = added.body.invitation.token as string;
  const { body } = await api(url)('POST', '/api/auth/login-with-token', { body: { token } });
  const { access_token, refresh_token } = body as LoggedIn;
  return { id: added.body.id as string, email, access_token, refresh_token, call: api(url, access_token) };
}
