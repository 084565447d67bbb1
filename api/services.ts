import type { Logger } from 'pino';
import type { ConnectionCheck } from '../activities/apps/connectionCheck.ts';
import type { Config } from '../config.ts';
import type { Catalogue } from '../domain/app/manifest.ts';
import type { WorkspaceApps } from '../engine/apps/workspaceApps.ts';
import type { ConnectionTokens } from '../engine/connections/connectionTokens.ts';
import type { OAuth2Requests } from '../engine/connections/oauth2Requests.ts';
import type { Engine } from '../engine/engine.ts';
import type { Evaluation } from '../engine/evaluation/evaluation.ts';
import type { DefinitionCache } from '../engine/executions/definitionCache.ts';
import type { ExecutionIds } from '../engine/executions/executionIds.ts';
import type { QuestionLinks } from '../engine/executions/questionLinks.ts';
import type { Releaser } from '../engine/executions/releaser.ts';
import type { Starter } from '../engine/executions/starter.ts';
import type { StepWakes } from '../engine/executions/stepWakes.ts';
import type { Submissions } from '../engine/executions/submissions.ts';
import type { FairPlaces } from '../engine/fairness/fairPlaces.ts';
import type { ChangeFeed } from '../engine/feeds/changeFeed.ts';
import type { Embedders } from '../engine/knowledge/embedders.ts';
import type { Metrics } from '../engine/metrics/metrics.ts';
import type { Schedules } from '../engine/schedules/schedules.ts';
import type { CredentialVault } from '../engine/secrets/credentialVault.ts';
import type { Sealer } from '../engine/secrets/sealer.ts';
import type { SpanSender } from '../engine/tracing/spanSender.ts';
import type { Tracing } from '../engine/tracing/tracing.ts';
import type { TurnStarter } from '../engine/turns/turnStarter.ts';
import type { Database } from '../prisma/client.ts';
import type { SsoClients } from './access/sso/ssoClients.ts';
import type { Tokens } from './access/token.ts';
import type { AuditLog } from './audit/auditLog.ts';
import type { ExecutionFollowers } from './executions/executionFollowers.ts';
import type { OpenStreams } from './streams/openStreams.ts';
import type { WorkspaceFollowers } from './streams/workspaceFollowers.ts';
import type { TurnFollowers } from './turns/turnFollowers.ts';

export interface Services {
  config: Config;
  /** For tests of a folder: a workspace may have the variables and entity types that the folder lacks. */
  isOfOneFolder?: boolean;
  database: Database;
  engine: Engine;
  /** In operations, with the apps of the caller's workspace. */
  catalogue: Catalogue;
  apps: WorkspaceApps;
  log: Logger;
  metrics: Metrics;
  /** Shared with a worker in the same process. */
  definitions: DefinitionCache;
  evaluation: Evaluation;
  starter: Starter;
  releaser: Releaser;
  schedules: Schedules;
  feed: ChangeFeed;
  answers: Submissions;
  stepWakes: StepWakes;
  links: QuestionLinks;
  executionIds: ExecutionIds;
  followers: ExecutionFollowers;
  nodeTestPlaces: FairPlaces;
  turns: TurnStarter;
  tracing: Tracing;
  /** Set if a collector of traces is configured. */
  spans: SpanSender | undefined;
  turnFollowers: TurnFollowers;
  workspaceFollowers: WorkspaceFollowers;
  audit: AuditLog;
  openStreams: OpenStreams;
  tokens: Tokens;
  sso: SsoClients;
  vault: CredentialVault;
  oauth2: OAuth2Requests;
  connectionTokens: ConnectionTokens;
  connectionChecks: ReadonlyMap<string, ConnectionCheck>;
  embedders: Embedders;
  sealer: Sealer;
}
