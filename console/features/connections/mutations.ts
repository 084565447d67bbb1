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

/** Changes who may use a connection. The order of the two writes never opens it to other people. */
export async function assignConnection({ id, isManaged: wasManaged }: Connection, assignment: Assignment) {
  const path = { connectionId: id };
  const { isManaged, subjects } = assignment;
  const setIsManaged = () => client.updateConnection({ path, body: { isManaged } });
  // The list is written last if the connection stays managed: people who leave themselves out may lose access to it.
  if (wasManaged && !isManaged) await setIsManaged();
  await client.assignConnection({ path, body: { subjects } });
  if (!wasManaged && isManaged) await setIsManaged();
  await refreshConnections();
}

/** Checks the credentials with the app. The caller refreshes the list. */
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

/** Stores credentials. If the app refuses them, the answer has the status `failed`. The caller refreshes the list. */
export const connectApp = (path: Method, body: NewConnection) => client.connectWorkflowApp({ path, body });

export async function connectInBrowser(path: Method, body: NewConnection | { connectionToRenew: string }) {
  const { authorizationUrl } = await client.authorizeConnection({ path, body });
  // The person has just clicked here, so the ticket may be spent. A ticket from an address needs a click on `/connect`.
  await spendTicket(new URL(authorizationUrl).searchParams.get('ticket') ?? '');
}

/** Binds the flow to this browser and opens the provider. */
export async function spendTicket(ticket: string): Promise<void> {
  const { authorizationUrl } = await client.spendConnectionTicket({ body: { ticket } });
  location.assign(authorizationUrl);
}
