import type { Logger } from 'pino';
import type { ConnectionCheck } from '../activities/apps/connectionCheck.ts';
import type { Config } from '../config.ts';
import type { Catalogue } from '../domain/app/manifest.ts';
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

/** The dependencies of operations, built once by api/main.ts or embedded/main.ts. */
export interface Services {
  config: Config;
  database: Database;
  engine: Engine;
  catalogue: Catalogue;
  log: Logger;
  /** Of this process. */
  metrics: Metrics;
  /** Shared with the worker where both are one process. */
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
  /** For node tests. */
  nodeTestPlaces: FairPlaces;
  turns: TurnStarter;
  tracing: Tracing;
  /** Where there is a collector of traces. */
  spans: SpanSender | undefined;
  turnFollowers: TurnFollowers;
  workspaceFollowers: WorkspaceFollowers;
  audit: AuditLog;
  openStreams: OpenStreams;
  /** `createTokens(config.TOKEN_SECRET, config.ACCESS_TOKEN_TTL)` */
  tokens: Tokens;
  /** `new SsoClients(config.SSO_PROVIDERS)` */
  sso: SsoClients;
  /** `createCredentialVault(config.ENCRYPTION_KEY)` */
  vault: CredentialVault;
  oauth2: OAuth2Requests;
  connectionTokens: ConnectionTokens;
  /** By appId. */
  connectionChecks: ReadonlyMap<string, ConnectionCheck>;
  embedders: Embedders;
  /** `createSealer(config.ENCRYPTION_KEY)` */
  sealer: Sealer;
}
