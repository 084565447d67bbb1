import type { Role } from '../../../domain/access/permission.ts';
import { type Api, api } from '../api/client.ts';
import { fromElsewhere } from '../api/fromElsewhere.ts';
import type { TestWorkspace } from './workspace.ts';

export interface LoggedIn {
  access_token: string;
  refresh_token: string;
}

/** Logs a person in. Throws for any other response than tokens. */
export async function logIn(
  { url }: Pick<TestWorkspace, 'url'>,
  { email, password, workspaceId }: { email: string; password: string; workspaceId?: string },
): Promise<LoggedIn> {
  const body = { email, password, ...(workspaceId === undefined ? {} : { workspaceId }) };
  const answer = await api(url)('POST', '/api/auth/login', { body, headers: fromElsewhere() });
  if (answer.body?.access_token === undefined) throw new Error(`the login answered ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Adds a person to the workspace, who logs in through the invitation with a new password. */
export async function newMember(
  { url, apiKey }: Pick<TestWorkspace, 'url' | 'apiKey'>,
  role: Role,
  password = `member ${crypto.randomUUID()}`,
) {
  const email = `${role}-${crypto.randomUUID()}@test.local`;
  const added = await api(url, apiKey)('POST', '/api/workspace/users', { body: { email, name: role, role } });
  if (added.status !== 201) throw new Error(`the addition answered ${JSON.stringify(added.body)}`);
  const token = added.body.invitation.token as string;
  const { body } = await api(url)('POST', '/api/auth/login-with-token', {
    body: { token, password },
    headers: fromElsewhere(),
  });
  if (body?.access_token === undefined) throw new Error(`the invitation answered ${JSON.stringify(body)}`);
  const { access_token, refresh_token } = body as LoggedIn;
  return { id: added.body.id as string, email, password, access_token, refresh_token, call: api(url, access_token) };
}

/** Invites a person with an account, who logs in at home and accepts; the tokens are of the home workspace. */
export async function joinAs(
  { url, apiKey, workspaceId }: Pick<TestWorkspace, 'url' | 'apiKey' | 'workspaceId'>,
  person: { email: string; password: string },
  role: Role,
) {
  const added = await api(url, apiKey)('POST', '/api/workspace/users', { body: { email: person.email, role } });
  if (added.status !== 201) throw new Error(`the invitation answered ${JSON.stringify(added.body)}`);
  const tokens = await logIn({ url }, person);
  const call = api(url, tokens.access_token);
  const accepted = await call('POST', `/api/users/me/invitations/${added.body.id}/accept`);
  if (accepted.status !== 200) throw new Error(`the acceptance answered ${JSON.stringify(accepted.body)}`);
  const { body: me } = await call('GET', '/api/users/me');
  return { id: me.id as string, workspaceId, tokens, call };
}

/** Confirms the person's identity by their password. */
export async function confirmed<Person extends { call: Api; password: string }>(person: Person): Promise<Person> {
  const { call, password } = person;
  const shown = await call('POST', '/api/auth/confirm', { body: { password }, headers: fromElsewhere() });
  if (shown.status !== 200) throw new Error(`the confirmation answered ${JSON.stringify(shown.body)}`);
  return person;
}
