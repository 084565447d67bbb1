import { grantOf } from '../../../domain/app/oauth2.ts';
import { Problem } from '../../../domain/problem.ts';
import { NeedsReconnect, NoTokenNow } from '../../../engine/connections/connectionTokens.ts';
import { insertConnection } from '../../../prisma/store/connection/insertConnection.ts';
import { makersAssignment } from '../../../prisma/store/connection/mayUseConnection.ts';
import { CONNECTION } from '../../../prisma/store/connection/resource.ts';
import { updateConnection as writeConnection } from '../../../prisma/store/connection/updateConnection.ts';
import type { Item } from '../../../prisma/store/items.ts';
import { notFound, readResource } from '../../../prisma/store/readResource.ts';
import { checkReadQuery } from '../../../prisma/store/resourceQuery.ts';
import type { Operation, OperationRequest } from '../../operation.ts';
import { type ResourceRequest, shownOne } from '../../resources/resourceRequest.ts';
import {
  type CredentialPlace,
  credentialsRefused,
  parseCredentials,
  requireConnectionType,
  verifiedCredentials,
} from './connectionCredentials.ts';
import { visibleConnection } from './visibleConnection.ts';

/** Stores the sealed credentials of an app after checking their fields and, if the app supports it, trying them. */
export const connectWorkflowApp: Operation<'connectWorkflowApp'> = async (request) => {
  const { caller, params, body, resourceId: id, services } = request;
  const { database, vault } = services;
  const { workspaceId } = caller;
  const type = requireConnectionType(services, params);
  if (type.type === 'oauth2' && grantOf(type, body.credentials) !== 'clientCredentials') {
    throw new Problem('INTERACTIVE_CONNECTION', `${type.name} is connected in the browser, not with credentials`);
  }
  const { name = type.name, slug, isDefault = false, isManaged = false } = body;
  const place = { workspaceId, appId: params.appId, type };
  const about = { workflowAppId: params.appId, connectionId: params.connectionId };
  const proved = await verifiedCredentials(services, place, parseCredentials(type, body.credentials));
  if ('message' in proved) {
    return { id: null, name, ...about, isDefault: false, status: 'failed', message: proved.message };
  }
  const stored = await insertConnection(database, workspaceId, {
    id,
    workflowAppId: params.appId,
    connectionType: params.connectionId,
    ...{ name, slug, isDefault, isManaged, assignedTo: isManaged ? makersAssignment(caller) : undefined },
    ...vault.seal({ workspaceId, connectionId: id }, proved.credentials),
  });
  return { id, name: stored.name, ...about, isDefault: stored.isDefault, status: 'connected' };
};

/** Replaces given members; credentials as a whole, since nobody can read the current ones. */
export const updateConnection: Operation<'updateConnection'> = async (request) => {
  const { caller, params, query, body = {}, services } = request;
  const { database } = services;
  const { workspaceId } = caller;
  const id = params.connectionId;
  checkReadQuery(CONNECTION, query);
  const present = await visibleConnection(database, caller, id);
  const { name, isDefault, isManaged } = body;
  if (Object.keys(body).length > 0) {
    const credentials = body.credentials && (await newCredentials(request, present, body.credentials));
    const written = await writeConnection(database, caller, id, { name, isDefault, isManaged, credentials });
    if (!written) throw notFound(CONNECTION);
    const isBack = written.statusBefore === 'needsReconnect' && credentials?.status === 'connected';
    if (isBack) await services.stepWakes.connectionAuthorized(workspaceId, id);
  }
  const item = await readResource(database, caller, CONNECTION, id, { query });
  return shownOne(item, { shown: withWorkflowApp }, request);
};

async function newCredentials(
  { caller, params, services }: OperationRequest<'updateConnection'> & Pick<ResourceRequest, 'caller'>,
  present: { workflowAppId: string; type: string },
  given: object,
) {
  const { workspaceId } = caller;
  const appId = present.workflowAppId;
  const type = requireConnectionType(services, { appId, connectionId: present.type });
  const place: CredentialPlace = { workspaceId, appId, type };
  const proved = await verifiedCredentials(services, place, parseCredentials(type, given));
  if ('message' in proved) throw credentialsRefused(proved.message);
  const { credentials } = proved;
  const status =
    type.type === 'oauth2' && credentials.accessToken === undefined
      ? ('needsReconnect' as const)
      : ('connected' as const);
  return { ...services.vault.seal({ workspaceId, connectionId: params.connectionId }, credentials), status };
}

export const testConnection: Operation<'testConnection'> = async ({ caller, params, services }) => {
  const { database, vault } = services;
  const { workspaceId } = caller;
  const id = params.connectionId;
  const found = await visibleConnection(database, caller, id);
  const { name, workflowAppId, isDefault } = found;
  const about = { id, name, workflowAppId, connectionId: found.type, isDefault };
  const type = requireConnectionType(services, { appId: workflowAppId, connectionId: found.type });
  let message: string | undefined;
  if (type.type === 'oauth2') {
    message = await tokenProblem(() => services.connectionTokens.tested(workspaceId, id));
  } else {
    const credentials = vault.open({ workspaceId, connectionId: id }, found);
    message = await services.connectionChecks.get(workflowAppId)?.(found.type, credentials, workspaceId);
  }
  return message === undefined ? { ...about, status: 'connected' } : { ...about, status: 'failed', message };
};

async function tokenProblem(open: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await open();
    return undefined;
  } catch (error) {
    if (error instanceof NeedsReconnect || error instanceof NoTokenNow) return error.message;
    throw error;
  }
}

/** Adds the catalogue's entry as `workflowApp`, if requested; null for an app that was removed from it. */
export function withWorkflowApp(items: Item[], { services: { catalogue } }: ResourceRequest): Item[] {
  return items.map((item) => {
    if (typeof item.workflowApp !== 'string') return item;
    const app = catalogue.get(item.workflowApp);
    return { ...item, workflowApp: app ? { appId: app.appId, name: app.name, icon: app.icon } : null };
  });
}
