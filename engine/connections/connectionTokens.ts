import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { validate } from 'uuid';
import type { DeploymentClient } from '../../domain/app/deploymentClient.ts';
import type { ConnectionType } from '../../domain/app/manifest.ts';
import {
  endsWithin,
  grantOf,
  isNoMore,
  type OAuth2Settings,
  type OAuth2Tokens,
  oauth2Settings,
  tokensOf,
  WrongOAuth2,
  withTokens,
} from '../../domain/app/oauth2.ts';
import type { Database } from '../../prisma/client.ts';
import { isDatabaseUnavailable } from '../../prisma/databaseErrors.ts';
import { type ConnectionRow, findSealedConnection } from '../../prisma/store/connection/findSealedConnection.ts';
import { claimRefresh, markNeedsReconnect, releaseRefresh, storeTokens } from '../../prisma/store/connection/tokens.ts';
import type { WorkspaceApps } from '../apps/workspaceApps.ts';
import type { Credentials, CredentialVault } from '../secrets/credentialVault.ts';
import { OAuth2Refused, type OAuth2Requests } from './oauth2Requests.ts';

export interface LiveConnection {
  workflowAppId: string;
  type: string;
  credentials: Credentials;
  /** The version of the credentials, for `renewed`; absent if they contain no expiring token. */
  version?: number;
}

export class NeedsReconnect extends Error {
  readonly connectionId: string;

  constructor(connectionId: string, name: string) {
    super(`The connection "${name}" must be authorized again`);
    this.connectionId = connectionId;
  }
}

/** There is no access token now, but there may be one soon. */
export class NoTokenNow extends Error {}

export interface ConnectionTokensOptions {
  database: Database;
  vault: CredentialVault;
  apps: WorkspaceApps;
  requests: OAuth2Requests;
  /** OAUTH2_CLIENTS */
  clients: readonly DeploymentClient[];
  /** How long one process may take for a refresh before another one tries. */
  leaseMs: number;
  /** A token that expires sooner is refreshed before use. */
  marginMs: number;
  log: Logger;
}

/** Polling interval while another process refreshes. */
const FIRST_LOOK_MS = 25;
const MAX_LOOK_MS = 500;
/** Pause between attempts to store new tokens while the database is unavailable. */
const STORE_AGAIN_MS = 500;

/**
 * One holder refreshes: the first caller of a process, and among processes the one with the lease in the connection's
 * row. New tokens are stored before use. If a holder dies between the provider's answer and the store, the next one
 * tries the old refresh token after the lease. A provider without a grace period then answers `invalid_grant`, and a
 * person has to authorize the connection again.
 */
export class ConnectionTokens {
  readonly #options: ConnectionTokensOptions;
  readonly #running = new Map<string, Promise<void>>();

  constructor(options: ConnectionTokensOptions) {
    this.#options = options;
  }

  /**
   * Returns the OAuth2 settings of a connection. Only built-in apps use clients of the deployment: a workspace chooses the
   * addresses of its own apps, which would receive the secret. Throws WrongOAuth2.
   */
  settingsOf(appId: string, type: ConnectionType, credentials: Credentials): OAuth2Settings {
    return oauth2Settings(
      type,
      credentials,
      this.#options.apps.isBuiltIn(appId, type)
        ? this.#options.clients.find((each) => each.appId === appId)
        : undefined,
    );
  }

  /** Undefined if the workspace lacks it. Throws NeedsReconnect, NoTokenNow, and the vault's errors. */
  async open(workspaceId: string, connectionId: string): Promise<LiveConnection | undefined> {
    return this.#live(workspaceId, connectionId, (tokens) => endsWithin(tokens, this.#options.marginMs, Date.now()));
  }

  /** Like `open`, with a newer access token than `version`, which the service rejected or which is to be tested. */
  async renewed(workspaceId: string, connectionId: string, version: number): Promise<LiveConnection | undefined> {
    return this.#live(workspaceId, connectionId, (_, present) => present === version);
  }

  /** Like `open`, but refreshes first if possible, to find out whether the provider accepts the connection. */
  async tested(workspaceId: string, connectionId: string): Promise<LiveConnection | undefined> {
    return this.#live(workspaceId, connectionId, ({ refreshToken, expiresAt }, _, grant) =>
      refreshToken !== undefined || grant === 'clientCredentials'
        ? true
        : expiresAt !== undefined && expiresAt <= Date.now(),
    );
  }

  async #live(
    workspaceId: string,
    connectionId: string,
    isOld: (tokens: OAuth2Tokens, version: number, grant: string) => boolean,
  ): Promise<LiveConnection | undefined> {
    if (!validate(connectionId)) return undefined;
    const { database, vault } = this.#options;
    const read = async () => findSealedConnection(database, workspaceId, connectionId);
    for (let row = await read(), round = 1; row; row = await read(), round += 1) {
      const { workflowAppId, type, version, sealed, keyId } = row;
      const credentials = vault.open({ workspaceId, connectionId }, { sealed, keyId });
      const manifest = await this.#typeOf(workspaceId, workflowAppId, type);
      if (manifest?.type !== 'oauth2') return { workflowAppId, type, credentials };
      if (row.status === 'needsReconnect') throw new NeedsReconnect(connectionId, row.name);
      const tokens = tokensOf(credentials);
      // A new token is used as it is, however soon it expires.
      if (tokens !== undefined && (round > 1 || !isOld(tokens, version, grantOf(manifest, credentials)))) {
        return { workflowAppId, type, credentials, version };
      }
      await this.#refreshOnce(workspaceId, connectionId, row, manifest, credentials);
    }
    return undefined;
  }

  async #typeOf(workspaceId: string, appId: string, type: string): Promise<ConnectionType | undefined> {
    const catalogue = await this.#options.apps.having(workspaceId, appId);
    return catalogue.get(appId)?.connectionTypes.find(({ connectionId }) => connectionId === type);
  }

  /** Resolves when the row has other credentials, or needs a person. Throws NoTokenNow. */
  #refreshOnce(
    workspaceId: string,
    connectionId: string,
    row: ConnectionRow,
    type: ConnectionType,
    credentials: Credentials,
  ): Promise<void> {
    const key = `${connectionId}:${row.version}`;
    const running = this.#running.get(key);
    if (running) return running;
    const work = this.#refresh({ workspaceId, connectionId, row, type, credentials }).finally(() =>
      this.#running.delete(key),
    );
    this.#running.set(key, work);
    return work;
  }

  async #refresh(present: Present): Promise<void> {
    const { database, leaseMs } = this.#options;
    const { workspaceId, connectionId, row } = present;
    const seen = { id: connectionId, version: row.version };
    const refresher = randomUUID();
    const until = Date.now() + 2 * leaseMs;
    for (let pause = FIRST_LOOK_MS; Date.now() < until; pause = Math.min(2 * pause, MAX_LOOK_MS)) {
      const claimed = await claimRefresh(database, workspaceId, seen, { refresher, leaseMs });
      if (claimed) return this.#refreshAlone(present, refresher, claimed.wasCutOff);
      const now = await findSealedConnection(database, workspaceId, connectionId);
      if (now?.version !== row.version || now.status === 'needsReconnect') return;
      await sleep(pause);
    }
    throw new NoTokenNow('The access token is being refreshed, and that takes too long');
  }

  async #refreshAlone(present: Present, refresher: string, wasCutOff: boolean): Promise<void> {
    const { database, requests, log } = this.#options;
    const { workspaceId, connectionId, row, type, credentials } = present;
    const seen = { id: connectionId, version: row.version };
    const about = { workspaceId, connectionId };
    let tokens: OAuth2Tokens;
    try {
      const settings = this.settingsOf(row.workflowAppId, type, credentials);
      const { refreshToken } = credentials;
      if (settings.grant === 'authorizationCode' && refreshToken === undefined) {
        log.warn(about, 'a connection has no refresh token, and its access token has ended');
        return await markNeedsReconnect(database, workspaceId, seen);
      }
      const client = { workspaceId, appId: row.workflowAppId, settings };
      const known = tokensOf(credentials) ?? clientAuthOf(credentials);
      tokens = await requests.renew(client, known);
    } catch (error) {
      const isFinal = error instanceof WrongOAuth2 || (error instanceof OAuth2Refused && isNoMore(error.code));
      if (!isFinal) {
        await releaseRefresh(database, workspaceId, connectionId, refresher);
        const said = error instanceof Error ? error.message : 'no answer';
        throw new NoTokenNow(`The access token could not be refreshed: ${said}`);
      }
      log.warn({ ...about, wasCutOff, error: error.message }, 'a connection must be authorized again');
      return markNeedsReconnect(database, workspaceId, seen);
    }
    await this.#store(workspaceId, seen, withTokens(credentials, tokens));
  }

  /** Retries while the database is unavailable, because the provider may have invalidated the old tokens. */
  async #store(workspaceId: string, seen: { id: string; version: number }, credentials: Credentials): Promise<void> {
    const { database, vault, log } = this.#options;
    const sealed = vault.seal({ workspaceId, connectionId: seen.id }, credentials);
    for (let isSaid = false; ; isSaid = true) {
      try {
        const isStored = await storeTokens(database, workspaceId, seen, sealed);
        if (!isStored) log.warn({ workspaceId, connectionId: seen.id }, 'new tokens came late: others were there');
        return;
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        if (!isSaid) log.warn({ err: error, connectionId: seen.id }, 'new tokens wait for the database');
        await sleep(STORE_AGAIN_MS, undefined, { ref: false });
      }
    }
  }
}

interface Present {
  workspaceId: string;
  connectionId: string;
  row: ConnectionRow;
  type: ConnectionType;
  credentials: Credentials;
}

function clientAuthOf({ clientAuth }: Credentials): Partial<OAuth2Tokens> {
  return clientAuth === 'basic' || clientAuth === 'post' ? { clientAuth } : {};
}
