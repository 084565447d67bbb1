import { Problem } from '../../../domain/problem.ts';
import { readTicket, spendTicket } from '../../../prisma/store/connection/authorizations.ts';
import { readAuthorizer } from '../../../prisma/store/connection/authorizer.ts';
import { type BrowserCookie, newBrowserToken, setCookie } from '../../access/browserCookie.ts';
import { hashToken } from '../../access/oneTimeToken.ts';
import { Answer, type PublicOperation } from '../../operation.ts';
import type { Services } from '../../services.ts';
import { openPending } from './pendingAuthorization.ts';

/** Shows what the user is about to approve: only the workspace, the app and the name of the caller. */
export const readConnectionTicket: PublicOperation<'readConnectionTicket'> = async ({ body, services }) => {
  const { apps, database, sealer } = services;
  const found = await readTicket(database, hashToken(body.ticket));
  if (!found) throw unknownTicket();
  const { appId, by, isRenewal } = openPending(sealer, found.stateHash, found);
  const { workspaceName, askedBy } = await readAuthorizer(
    database,
    found.workspaceId,
    by.kind === 'user' ? { userId: by.userId } : { apiKeyId: by.apiKeyId },
  );
  const catalogue = await apps.having(found.workspaceId, appId);
  const appName = catalogue.get(appId)?.name ?? appId;
  return { workspaceName, appName, askedBy, isRenewal, expiresAt: found.expiresAt.toISOString() };
};

/** Binds the flow to this browser by a cookie, and returns the provider's address. */
export const spendConnectionTicket: PublicOperation<'spendConnectionTicket'> = async ({ body, headers, services }) => {
  const { config, database, sealer } = services;
  // A page of another site must not set the cookie, even if it knows the ticket.
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') {
    throw new Problem('FORBIDDEN', 'Only a page of this deployment can use a ticket');
  }
  const token = newBrowserToken();
  const ttlMs = config.OAUTH2_AUTHORIZATION_TTL_MS;
  const spent = await spendTicket(database, hashToken(body.ticket), { browserHash: hashToken(token), ttlMs });
  if (!spent) throw unknownTicket();
  const { providerUrl } = openPending(sealer, spent.stateHash, spent);
  const cookie = setCookie(flowCookie(config, spent.stateHash), token, ttlMs);
  return new Answer({ authorizationUrl: providerUrl }, { headers: { 'set-cookie': cookie } });
};

/** One cookie per flow, since a browser may have several unfinished ones. */
export function flowCookie(
  { PUBLIC_URL }: Pick<Services['config'], 'PUBLIC_URL'>,
  stateHash: Uint8Array,
): BrowserCookie {
  // Browsers accept `__Host-` only over https; without PUBLIC_URL the API is on loopback.
  const isSecure = PUBLIC_URL?.startsWith('https:') ?? false;
  const flow = Buffer.from(stateHash).toString('hex').slice(0, 16);
  return { name: `${isSecure ? '__Host-' : ''}perdure_oauth2_${flow}`, path: '/', isSecure };
}

function unknownTicket(): Problem {
  return new Problem('NOT_FOUND', 'The link is unknown, was used, or has expired');
}
