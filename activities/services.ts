import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Catalogue } from '../domain/app/manifest.ts';
import type { ConnectionTokens } from '../engine/connections/connectionTokens.ts';
import type { Engine } from '../engine/engine.ts';
import type { Evaluation } from '../engine/evaluation/evaluation.ts';
import type { DefinitionCache } from '../engine/executions/definitionCache.ts';
import type { ExecutionIds } from '../engine/executions/executionIds.ts';
import type { ProgressWriter } from '../engine/executions/progressWriter.ts';
import type { QuestionLinks } from '../engine/executions/questionLinks.ts';
import type { Releaser } from '../engine/executions/releaser.ts';
import type { Starter } from '../engine/executions/starter.ts';
import type { StepKeys } from '../engine/executions/stepKeys.ts';
import type { WorkspacePlaces } from '../engine/fairness/workspacePlaces.ts';
import type { ChangeFeed } from '../engine/feeds/changeFeed.ts';
import type { Embedders } from '../engine/knowledge/embedders.ts';
import type { CredentialVault } from '../engine/secrets/credentialVault.ts';
import type { Tracing } from '../engine/tracing/tracing.ts';
import type { TurnStarter } from '../engine/turns/turnStarter.ts';
import type { Database } from '../prisma/client.ts';
import type { Executor } from './apps/executor.ts';
import type { Poller } from './apps/poller.ts';
import type { LoopContexts } from './execution/loopContexts.ts';
import type { OpenedLoops } from './execution/openedLoops.ts';
import type { McpSessions } from './providers/mcpSession.ts';
import type { OpenAiClient } from './providers/openAiClient.ts';
import type { StandIn } from './standIn.ts';

/** The dependencies of activities, given once by the worker. */
export interface ActivityServices {
  config: Config;
  database: Database;
  engine: Engine;
  definitions: DefinitionCache;
  evaluation: Evaluation;
  feed: ChangeFeed;
  writer: ProgressWriter;
  loopContexts: LoopContexts;
  openedLoops: OpenedLoops;
  /** For remote actions. */
  places: WorkspacePlaces;
  pollPlaces: WorkspacePlaces;
  /** For waits for what others do. */
  waitPlaces: WorkspacePlaces;
  links: QuestionLinks;
  executionIds: ExecutionIds;
  vault: CredentialVault;
  connectionTokens: ConnectionTokens;
  stepKeys: StepKeys;
  openAiClient: OpenAiClient;
  mcpSessions: McpSessions;
  embedders: Embedders;
  executorOf: (appId: string, actionId: string) => Executor;
  pollerOf: (appId: string, triggerId: string) => Poller;
  catalogue: Catalogue;
  standIn?: StandIn;
  starter: Starter;
  turns: TurnStarter;
  tracing: Tracing;
  releaser: Releaser;
  log: Logger;
}
