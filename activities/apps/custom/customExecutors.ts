import type { Logger } from 'pino';
import type { RunsOn } from '../../../domain/app/runsOn.ts';
import { openAppSecret } from '../../../engine/apps/appSecrets.ts';
import type { Sealer } from '../../../engine/secrets/sealer.ts';
import { readContent } from '../../../prisma/store/app/contents.ts';
import { lendToken, revokeToken } from '../../../prisma/store/connection/credentialTokens.ts';
import type { RequestSettings } from '../http/exchange.ts';
import { MissingAction } from '../missingAction.ts';
import type { AppRunnerSettings } from './appRunner.ts';
import type { CustomExecutor } from './customExecutor.ts';
import { buildHttpApp, type LendCredentials, type ReadAppSecret } from './httpApp.ts';
import { buildMcpApp, type McpAppSettings } from './mcpApp.ts';
import { buildOpenApi } from './openApi.ts';
import { OpenApiDocuments } from './openApiDocuments.ts';
import { buildRunnerExecutor } from './runnerExecutor.ts';

/** By `runs.on`. The interpreter runs the actions of `worker`. */
export type CustomExecutorTable = Partial<Record<Exclude<RunsOn['on'], 'worker'>, CustomExecutor>>;

export interface CustomExecutorSettings extends RequestSettings, McpAppSettings, AppRunnerSettings {
  log: Logger;
  sealer: Sealer;
}

export function customExecutorTable(settings: CustomExecutorSettings): CustomExecutorTable {
  const { database } = settings;
  const documents = new OpenApiDocuments((workspaceId, digest) => readContent(database, workspaceId, digest));
  const runnerExecutor = buildRunnerExecutor(settings);
  const readSecret: ReadAppSecret = (workspaceId, slug) => openAppSecret(settings, { workspaceId, slug });
  return {
    function: runnerExecutor,
    piece: runnerExecutor,
    http: buildHttpApp(settings, { readSecret, lendCredentials: lending(settings) }),
    openapi: buildOpenApi(settings, documents),
    mcp: buildMcpApp(settings),
  };
}

function lending({ database, log }: CustomExecutorSettings): LendCredentials {
  return async ({ workspaceId, connectionId }, use) => {
    const token = await lendToken(database, workspaceId, connectionId);
    try {
      return await use(token);
    } finally {
      // A failure must not hide the result of the call. The token expires by itself.
      await revokeToken(database, workspaceId, token).catch((error: unknown) => {
        log.warn({ err: error }, 'a token for credentials was not revoked');
      });
    }
  };
}

/** Throws MissingAction for a kind that this build lacks. */
export function buildCustomExecutors(table: CustomExecutorTable): CustomExecutor {
  return (app, action, call) => {
    const { on } = app.custom.runs;
    const executor = on === 'worker' ? undefined : table[on];
    if (executor === undefined) throw new MissingAction(app.appId, action.actionId);
    return executor(app, action, call);
  };
}
