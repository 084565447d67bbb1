import { timingSafeEqual } from 'node:crypto';
import type { Permission } from '../../../domain/access/permission.ts';
import { withoutTokens, withTokens } from '../../../domain/app/oauth2.ts';
import { Problem } from '../../../domain/problem.ts';
import { OAuth2IssuerMismatch, OAuth2Refused, OAuth2Unavailable } from '../../../engine/connections/oauth2Requests.ts';
import type { Credentials } from '../../../engine/secrets/credentialVault.ts';
import { insertAuthorization, takeAuthorization } from '../../../prisma/store/connection/authorizations.ts';
import { insertConnection } from '../../../prisma/store/connection/insertConnection.ts';
import { makersAssignment } from '../../../prisma/store/connection/mayUseConnection.ts';
import { CONNECTION } from '../../../prisma/store/connection/resource.ts';
import { updateConnection } from '../../../prisma/store/connection/updateConnection.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { presentCaller } from '../../access/authenticate.ts';
import { browserToken, setCookie } from '../../access/browserCookie.ts';
import { baseUrl, callbackUrl } from '../../access/callbackUrl.ts';
import type { Caller } from '../../access/caller.ts';
import { clientPageUrl } from '../../access/clientUrl.ts';
import { hashToken, makeOneTimeToken } from '../../access/oneTimeToken.ts';
import { Answer, type Operation, type OperationRequest, type PublicOperation } from '../../operation.ts';
import type { Services } from '../../services.ts';
import {
  credentialsRefused,
  parseCredentials,
  requireConnectionType,
  settingsOf,
  verifiedCredentials,
} from './connectionCredentials.ts';
import { flowCookie } from './connectionTicket.ts';
import { callerOf, openPending, type PendingAuthorization, sealPending, storedCaller } from './pendingAuthorization.ts';
import { visibleConnection } from './visibleConnection.ts';

const CALLBACK = '/api/connections/oauth2/callback';
const NEEDED: Permission = 'connections:write';

/** Returns our page that leads to the provider; stores only the sealed, pending authorization. */
export const authorizeConnection: Operation<'authorizeConnection'> = async (request) => {
  const { caller, params, headers, body = {}, resourceId, services } = request;
  const { config, database, oauth2, sealer } = services;
  const { workspaceId } = caller;
  const { appId, connectionId } = params;
  const type = requireConnectionType(services, params);
  if (type.type !== 'oauth2') {
    const errors = [
      { path: 'connectionId', message: `expected a connection type of OAuth2: use connect for ${type.name}` },
    ];
    throw new Problem('VALIDATION_FAILED', `${type.name} is connected with credentials, not in the browser`, {
      errors,
    });
  }
  const { connectionToRenew, name, isDefault, isManaged } = body;
  const place = { workspaceId, appId, type };
  const stored = connectionToRenew === undefined ? {} : await storedCredentials(request, connectionToRenew);
  const credentials =
    body.credentials === undefined && connectionToRenew !== undefined
      ? stored
      : parseCredentials(type, body.credentials ?? {});
  const settings = settingsOf(services, place, credentials);
  if (settings.grant !== 'authorizationCode') {
    const errors = [
      { path: 'credentials.grant', message: 'expected authorizationCode: the client itself uses connect' },
    ];
    throw new Problem('VALIDATION_FAILED', 'A client that acts for itself needs no authorization by a user', {
      errors,
    });
  }
  const checked = await verifiedCredentials(services, place, credentials);
  if ('message' in checked) throw credentialsRefused(checked.message);
  const { state, verifier } = await oauth2.newSecrets();
  const redirectUri = callbackUrl(config.PUBLIC_URL, headers, CALLBACK).href;
  const url = await oauth2.authorizationUrl({ workspaceId, appId, settings }, { redirectUri, state, verifier });
  const pending: PendingAuthorization = {
    ...{ id: connectionToRenew ?? resourceId, appId, connectionId, isRenewal: connectionToRenew !== undefined },
    ...(name === undefined ? {} : { name }),
    ...(isDefault === undefined ? {} : { isDefault }),
    ...(isManaged === undefined ? {} : { isManaged }),
    ...{ credentials, redirectUri, verifier, providerUrl: url.href, by: storedCaller(caller) },
  };
  const stateHash = hashToken(state);
  const { sealed, keyId } = sealPending(sealer, stateHash, pending);
  const { token: ticket, hash: ticketHash } = makeOneTimeToken();
  const ttlMs = config.OAUTH2_AUTHORIZATION_TTL_MS;
  const expiresAt = await insertAuthorization(database, workspaceId, { stateHash, ticketHash, sealed, keyId, ttlMs });
  return { authorizationUrl: connectPage(config, headers, { ticket }), expiresAt: expiresAt.toISOString() };
};

/** Without its tokens. Throws NOT_FOUND. */
async function storedCredentials(
  { caller, params, services }: OperationRequest<'authorizeConnection'> & { caller: Caller },
  id: string,
): Promise<Credentials> {
  const { workspaceId } = caller;
  const found = await visibleConnection(services.database, caller, id);
  if (found.workflowAppId !== params.appId || found.type !== params.connectionId) throw notFound(CONNECTION);
  return withoutTokens(services.vault.open({ workspaceId, connectionId: id }, found));
}

type AuthorizationFailure =
  | 'OAUTH2_STATE_INVALID'
  | 'OAUTH2_DENIED'
  | 'OAUTH2_ISSUER_MISMATCH'
  | 'OAUTH2_FAILED'
  | 'OAUTH2_UNAVAILABLE'
  | 'OAUTH2_NOT_ALLOWED';

export const finishConnectionAuthorization: PublicOperation<'finishConnectionAuthorization'> = async (request) => {
  const { query, headers, auditDetails, services } = request;
  const { config, database, sealer, log } = services;
  const returned = Object.fromEntries(
    Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  const { state } = returned;
  const stateHash = state === undefined ? undefined : hashToken(state);
  const taken = stateHash && (await takeAuthorization(database, stateHash));
  if (!stateHash || !taken || state === undefined) return backTo(config, headers, { error: 'OAUTH2_STATE_INVALID' });
  const pending = openPending(sealer, stateHash, taken);
  const { workspaceId } = taken;
  auditDetails.workspaceId = workspaceId;
  auditDetails.resourceId = pending.id;
  const cookie = flowCookie(config, stateHash);
  const browser = browserToken(headers, cookie);
  if (!isSameBrowser(browser, taken.browserHash)) {
    log.warn({ workspaceId, connectionId: pending.id }, 'an authorization returned in another browser');
    const location = connectPage(config, headers, { error: 'WRONG_BROWSER' });
    return new Answer(undefined, { status: 302, headers: { location } });
  }
  const removed = { 'set-cookie': setCookie(cookie, '', 0) };
  const caller = await presentCaller(database, callerOf(workspaceId, pending.by));
  if (!caller?.permissions.has(NEEDED)) return backTo(config, headers, { error: 'OAUTH2_NOT_ALLOWED' }, removed);
  try {
    const isStored = await finish(services, caller, pending, returned, state);
    return backTo(config, headers, isStored ? { connected: pending.id } : { error: 'OAUTH2_NOT_ALLOWED' }, removed);
  } catch (error) {
    const failure = failureOf(error);
    log.warn({ workspaceId, connectionId: pending.id, failure, err: error }, 'an authorization failed');
    return backTo(config, headers, { error: failure }, removed);
  }
};

async function finish(
  services: Services,
  caller: Caller,
  pending: PendingAuthorization,
  returned: Readonly<Record<string, string>>,
  state: string,
): Promise<boolean> {
  const { database, oauth2, vault } = services;
  const { workspaceId } = caller;
  const { id, appId, connectionId, name, isDefault, isManaged, redirectUri, verifier } = pending;
  // The catalogue of a public operation has no apps of workspaces.
  const catalogue = await services.apps.having(workspaceId, appId);
  const type = requireConnectionType({ catalogue }, pending);
  const settings = settingsOf(services, { workspaceId, appId, type }, pending.credentials);
  const client = { workspaceId, appId, settings };
  const tokens = await oauth2.exchange(client, returned, { redirectUri, state, verifier });
  const sealed = vault.seal({ workspaceId, connectionId: id }, withTokens(pending.credentials, tokens));
  if (pending.isRenewal) {
    const credentials = { ...sealed, status: 'connected' as const };
    const written = await updateConnection(database, caller, id, { name, isDefault, isManaged, credentials });
    if (written) await services.stepWakes.connectionAuthorized(workspaceId, id);
    return written !== undefined;
  }
  await insertConnection(database, workspaceId, {
    ...{ id, workflowAppId: appId, connectionType: connectionId, name: name ?? type.name },
    ...{ isDefault: isDefault ?? false, isManaged: isManaged ?? false },
    assignedTo: isManaged ? makersAssignment(caller) : undefined,
    ...sealed,
  });
  return true;
}

function failureOf(error: unknown): AuthorizationFailure {
  if (error instanceof OAuth2IssuerMismatch) return 'OAUTH2_ISSUER_MISMATCH';
  if (error instanceof OAuth2Refused) return error.code === 'access_denied' ? 'OAUTH2_DENIED' : 'OAUTH2_FAILED';
  if (error instanceof OAuth2Unavailable) return 'OAUTH2_UNAVAILABLE';
  return 'OAUTH2_FAILED';
}

function backTo(
  { CLIENT_URL, PUBLIC_URL }: Services['config'],
  headers: Record<string, string | undefined>,
  result: { connected: string } | { error: AuthorizationFailure },
  more: Record<string, string> = {},
): Answer {
  const url = clientPageUrl(baseUrl(CLIENT_URL ?? PUBLIC_URL, headers), 'connections', { ...result });
  return new Answer(undefined, { status: 302, headers: { location: url.href, ...more } });
}

/** The page that asks before a ticket is spent, and that reports a redirect in the wrong browser. */
function connectPage(
  { CLIENT_URL, CONSOLE, PUBLIC_URL }: Services['config'],
  headers: Record<string, string | undefined>,
  result: Readonly<Record<string, string>>,
): string {
  const client = CONSOLE === 'off' && CLIENT_URL !== undefined ? CLIENT_URL : `${baseUrl(PUBLIC_URL, headers)}/console`;
  return clientPageUrl(client, 'connect', result).href;
}

function isSameBrowser(token: string | undefined, browserHash: Uint8Array | null): boolean {
  return token !== undefined && browserHash !== null && timingSafeEqual(hashToken(token), browserHash);
}
