import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createWorkspace } from '../../../api/access/createWorkspace.ts';
import { SsoClients } from '../../../api/access/sso/ssoClients.ts';
import { createTokens } from '../../../api/access/token.ts';
import { buildApp } from '../../../api/app.ts';
import { AuditLog } from '../../../api/audit/auditLog.ts';
import { createHttpServer } from '../../../api/httpServer.ts';
import type { Services } from '../../../api/services.ts';
import { OpenStreams } from '../../../api/streams/openStreams.ts';
import { readConfig } from '../../../config.ts';
import { AccessFeed } from '../../../engine/feeds/accessFeed.ts';
import { Metrics } from '../../../engine/metrics/metrics.ts';
import { createSealer } from '../../../engine/secrets/sealer.ts';
import type { Database } from '../../../prisma/client.ts';
import { startMigratedDatabase } from '../database/ownDatabase.ts';
import { untraced } from './untraced.ts';

/** An API with a database but without Temporal. */
export interface OwnApi {
  url: string;
  database: Database;
  services: Services;
  workspaceId: string;
  projectId: string;
  apiKey: string;
  serve(app: RequestListener): Promise<string>;
  dispose(): Promise<void>;
}

/** Streams recheck only on request. */
export function openStreamsOf(database: Database, accessFeed: AccessFeed): OpenStreams {
  return new OpenStreams({ database, accessFeed, recheckMs: 3_600_000, log: pino({ level: 'silent' }) });
}

export async function startOwnApi(environment: Record<string, string> = {}): Promise<OwnApi> {
  const own = await startMigratedDatabase(5);
  const secrets = { TOKEN_SECRET: 'x'.repeat(32), ENCRYPTION_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}` };
  const config = readConfig({ ...secrets, DATABASE_URL: own.url, ...environment });
  const log = pino({ level: 'silent' });
  const services = {
    config,
    database: own.database,
    log,
    metrics: new Metrics(),
    audit: new AuditLog(own.database, log),
    tokens: createTokens(config.TOKEN_SECRET, config.ACCESS_TOKEN_TTL),
    sealer: createSealer(config.ENCRYPTION_KEY),
    sso: new SsoClients(config.SSO_PROVIDERS, config),
    catalogue: new Map(),
    tracing: untraced(),
    openStreams: openStreamsOf(own.database, new AccessFeed()),
  } as unknown as Services;
  const servers: Server[] = [];
  const serve = async (app: RequestListener) => {
    const server = createHttpServer(app, config, log);
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const url = await serve(buildApp(services));
  const made = await createWorkspace(own.database, { name: 'w', email: 'w@example.com', password: 'a long password' });
  const { workspaceId, projectId, apiKey } = made;
  const dispose = async () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await own.dispose();
  };
  return { url, database: own.database, services, workspaceId, projectId, apiKey, serve, dispose };
}
