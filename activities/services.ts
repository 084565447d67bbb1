import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { ChangeFeed } from '../engine/changeFeed.ts';
import type { ContextHandoff } from '../engine/contextHandoff.ts';
import type { CredentialVault } from '../engine/credentialVault.ts';
import type { DefinitionCache } from '../engine/definitionCache.ts';
import type { Database } from '../prisma/client.ts';
import type { Executor } from './apps/executor.ts';

/** What activities stand on; given once by the worker. */
export interface ActivityServices {
  config: Config;
  database: Database;
  definitions: DefinitionCache;
  feed: ChangeFeed;
  handoff: ContextHandoff | undefined;
  vault: CredentialVault;
  executorOf: (appId: string, actionId: string) => Executor;
  log: Logger;
}
