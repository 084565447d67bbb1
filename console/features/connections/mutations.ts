import { QUERIES } from '../../app/api/queries.ts';
import { client } from '../../app/session/session.ts';
import { CONNECTION_LIST, type Connection, type Credentials, type Subject } from './queries.ts';

export const refreshConnections = (): Promise<void> => QUERIES.invalidateQueries({ queryKey: CONNECTION_LIST });

interface ConnectionChange {
  name?: string;
  isDefault?: boolean;
  credentials?: Credentials;
}

export async function updateConnection(connectionId: string, body: ConnectionChange): Promise<void> {
  await client.updateConnection({ path: { connectionId }, body });
  await refreshConnections();
}

export async function deleteConnection(connectionId: string): Promise<void> {
  await client.deleteConnection({ path: { connectionId } });
  await refreshConnections();
}

interface Assignment {
  isManaged: boolean;
  subjects: Subject[];
}

/** Changes who may use a connection, so that it is never open to other people between the two writes. */
export async function assignConnection({ id, isManaged: wasManaged }: Connection, assignment: Assignment) {
  const path = { connectionId: id };
  const { isManaged, subjects } = assignment;
  const setIsManaged = () => client.updateConnection({ path, body: { isManaged } });
  // A connection that stays managed may disappear for a person who leaves themselves out of the list: the list is written last.
  if (wasManaged && !isManaged) await setIsManaged();
  await client.assignConnection({ path, body: { subjects } });
  if (!wasManaged && isManaged) await setIsManaged();
  await refreshConnections();
}

/** Asks the app whether the credentials work. The caller refreshes the list. */
export const testConnection = (connectionId: string) => client.testConnection({ path: { connectionId } });

interface Method {
  appId: string;
  connectionId: string;
}

interface NewConnection {
  name?: string;
  isDefault: boolean;
  isManaged: boolean;
  credentials: Credentials;
}

/** Stores credentials. The app may refuse them: then the answer has the status `failed`. The caller refreshes the list. */
export const connectApp = (path: Method, body: NewConnection) => client.connectWorkflowApp({ path, body });

/** Begins a new connection, or renews one, at the provider, and leads this browser there. */
export async function connectInBrowser(path: Method, body: NewConnection | { connectionToRenew: string }) {
  const { authorizationUrl } = await client.authorizeConnection({ path, body });
  // The person has just clicked here. A ticket from an address needs a click on its own page (`/connect`).
  await spendTicket(new URL(authorizationUrl).searchParams.get('ticket') ?? '');
}

/** Binds the flow to this browser, and leaves for the provider. */
export async function spendTicket(ticket: string): Promise<void> {
  const { authorizationUrl } = await client.spendConnectionTicket({ body: { ticket } });
  location.assign(authorizationUrl);
}
