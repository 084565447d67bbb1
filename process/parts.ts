import type { Logger } from 'pino';
import { buildCatalogue } from '../activities/apps/catalogue.ts';
import { privateHostOf } from '../activities/apps/guard/privateHosts.ts';
import { buildEmbedders } from '../activities/embeddings/buildEmbedders.ts';
import { buildMcpSessions, type McpSessions } from '../activities/providers/mcpSession.ts';
import { buildOpenAiClient, type OpenAiClient } from '../activities/providers/openAiClient.ts';
import { buildProviderFetch } from '../activities/providers/providerFetch.ts';
import type { Config } from '../config.ts';
import type { Catalogue } from '../domain/app/manifest.ts';
import { WorkspaceApps } from '../engine/apps/workspaceApps.ts';
import { ConnectionTokens } from '../engine/connections/connectionTokens.ts';
import { OAuth2Requests } from '../engine/connections/oauth2Requests.ts';
import type { Engine } from '../engine/engine.ts';
import { Evaluation } from '../engine/evaluation/evaluation.ts';
import { DefinitionCache } from '../engine/executions/definitionCache.ts';
import { createExecutionIds, type ExecutionIds } from '../engine/executions/executionIds.ts';
import { QuestionLinks } from '../engine/executions/questionLinks.ts';
import { Releaser } from '../engine/executions/releaser.ts';
import { Starter } from '../engine/executions/starter.ts';
import { StartLine } from '../engine/executions/startLine.ts';
import { createStepKeys, type StepKeys } from '../engine/executions/stepKeys.ts';
import { StepWakes } from '../engine/executions/stepWakes.ts';
import { Submissions } from '../engine/executions/submissions.ts';
import { ACCESS_CHANNEL, AccessFeed } from '../engine/feeds/accessFeed.ts';
import { ChangeFeed } from '../engine/feeds/changeFeed.ts';
import { DatabaseListener } from '../engine/feeds/databaseListener.ts';
import { DueFeed, EVENT_CHANNEL, FAILURE_CHANNEL, TOOL_CHANNEL } from '../engine/feeds/dueFeed.ts';
import { QuestionReplies, REPLY_CHANNEL } from '../engine/feeds/questionReplies.ts';
import type { Embedders } from '../engine/knowledge/embedders.ts';
import { Metrics } from '../engine/metrics/metrics.ts';
import { workflowNames } from '../engine/metrics/workflowNames.ts';
import { QUEUE_CHANNEL, QueueFeed } from '../engine/queues/queueFeed.ts';
import { Schedules } from '../engine/schedules/schedules.ts';
import { createTemporalSchedules } from '../engine/schedules/temporalSchedules.ts';
import { type CredentialVault, createCredentialVault } from '../engine/secrets/credentialVault.ts';
import { buildRevealSecrets } from '../engine/secrets/revealSecrets.ts';
import { createSealer, type Sealer } from '../engine/secrets/sealer.ts';
import type { TemporalParts } from '../engine/temporal/connectTemporal.ts';
import { createTemporalEngine } from '../engine/temporal/temporalEngine.ts';
import { samplerOf } from '../engine/tracing/sampler.ts';
import { SpanSender } from '../engine/tracing/spanSender.ts';
import { Tracing } from '../engine/tracing/tracing.ts';
import { TurnStarter } from '../engine/turns/turnStarter.ts';
import { createDatabase, type Database } from '../prisma/client.ts';
import { canListen, notify, statementTimeoutMs } from '../prisma/store/database/capabilities.ts';
import { CHANGE_CHANNEL } from '../prisma/store/execution/recordProgress.ts';
import { releaseStartClaims } from '../prisma/store/execution/startClaims.ts';

export interface Parts {
  config: Config;
  log: Logger;
  database: Database;
  metrics: Metrics;
  /** No other process uses this database. */
  isAlone: boolean;
  /** For tests of a folder: a workspace may have the variables and entity types that the folder lacks. */
  isOfOneFolder?: boolean;
  /** The built-in apps. */
  catalogue: Catalogue;
  /** Catalogues with the apps of workspaces. */
  apps: WorkspaceApps;
  definitions: DefinitionCache;
  /** Evaluates expressions and rules, in threads of this process. */
  evaluation: Evaluation;
  feed: ChangeFeed;
  queueFeed: QueueFeed;
  accessFeed: AccessFeed;
  eventFeed: DueFeed;
  failureFeed: DueFeed;
  toolFeed: DueFeed;
  questionReplies: QuestionReplies;
  listener: DatabaseListener;
  engine: Engine;
  starter: Starter;
  releaser: Releaser;
  schedules: Schedules;
  turns: TurnStarter;
  tracing: Tracing;
  /** Defined if a collector of traces is set. */
  spans: SpanSender | undefined;
  answers: Submissions;
  stepWakes: StepWakes;
  vault: CredentialVault;
  oauth2: OAuth2Requests;
  connectionTokens: ConnectionTokens;
  openAiClient: OpenAiClient;
  mcpSessions: McpSessions;
  embedders: Embedders;
  sealer: Sealer;
  stepKeys: StepKeys;
  links: QuestionLinks;
  executionIds: ExecutionIds;
  /** Closes the parts opened here; the caller closes the Temporal connection. */
  close(): Promise<void>;
}

export interface PartsOptions {
  config: Config & { DATABASE_URL: string };
  temporal: TemporalParts;
  /** A worker runs in this process, on the same connection. */
  eagerStart: boolean;
  log: Logger;
  /** Defined if this process serves metrics. */
  metrics?: Metrics;
}

/** Throws if the database does not answer, or if ENCRYPTION_KEY is missing or invalid. */
export async function createParts({ config, temporal, eagerStart, log, ...served }: PartsOptions): Promise<Parts> {
  const vault = createCredentialVault(config.ENCRYPTION_KEY);
  const stepKeys = createStepKeys(config.ENCRYPTION_KEY);
  const links = new QuestionLinks(config.ENCRYPTION_KEY, config.PUBLIC_URL ?? `http://127.0.0.1:${config.PORT}`);
  const catalogue = buildCatalogue({
    testing: config.ENABLE_TESTING_APP,
    gitHubUrl: config.GITHUB_URL,
    slackUrl: config.SLACK_URL,
  });
  const metrics = served.metrics ?? new Metrics();
  const isPooled = config.DATABASE_LISTEN_URL !== undefined;
  const database = createDatabase(config.DATABASE_URL, config.DATABASE_POOL_SIZE, {
    statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
    isPooled,
    preparedStatements: config.DATABASE_PREPARED_STATEMENTS,
    revealSecrets: buildRevealSecrets({ vault, catalogue, log }),
    linkOf: (place) => links.linkOf(place),
    observer: metrics,
  });
  metrics.nameWorkflows(workflowNames(database, config.METRICS_WORKFLOWS, log));
  showPool(metrics, database);
  const apps = new WorkspaceApps(database, catalogue);
  const openAiClient = buildOpenAiClient({
    allowedPrivateHosts: config.HTTP_ALLOWED_PRIVATE_HOSTS,
    maxAnswerBytes: config.PROVIDER_MAX_ANSWER_BYTES,
    firstByteMs: config.MODEL_FIRST_BYTE_TIMEOUT_MS,
    idleMs: config.MODEL_IDLE_TIMEOUT_MS,
  });
  const oauth2 = new OAuth2Requests({
    fetchOf: buildProviderFetch({
      allowedPrivateHosts: [
        ...config.HTTP_ALLOWED_PRIVATE_HOSTS,
        ...privateHostOf('github', config.GITHUB_URL),
        ...privateHostOf('slack', config.SLACK_URL),
      ],
    }),
    timeoutMs: config.OAUTH2_TIMEOUT_MS,
  });
  const connectionTokens = new ConnectionTokens({
    ...{ database, vault, apps, requests: oauth2, clients: config.OAUTH2_CLIENTS, log },
    leaseMs: config.OAUTH2_REFRESH_LEASE_MS,
    marginMs: config.OAUTH2_REFRESH_BEFORE_MS,
  });
  const spans = sendsSpans(config)
    ? new SpanSender({
        serviceName: config.OTEL_SERVICE_NAME,
        longestMs: config.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? config.OTEL_EXPORTER_OTLP_TIMEOUT,
        log,
      })
    : undefined;
  const listens = await canListen(database);
  if (isPooled) await checkStatementTimeout(database, config.DATABASE_STATEMENT_TIMEOUT_MS, log);
  const feed = new ChangeFeed({ database, pollMs: config.CHANGE_POLL_MS, isAlone: !listens, log });
  const queueFeed = new QueueFeed();
  const accessFeed = new AccessFeed();
  const eventFeed = new DueFeed();
  const failureFeed = new DueFeed();
  const toolFeed = new DueFeed();
  const questionReplies = new QuestionReplies(listens ? (...reply) => notify(database, ...reply) : undefined);
  const channels = {
    [QUEUE_CHANNEL]: (payload: string) => queueFeed.notified(payload),
    [ACCESS_CHANNEL]: (payload: string) => accessFeed.notified(payload),
    [EVENT_CHANNEL]: (payload: string) => eventFeed.notified(payload),
    [TOOL_CHANNEL]: (payload: string) => toolFeed.notified(payload),
    [REPLY_CHANNEL]: (payload: string) => questionReplies.notified(payload),
    [FAILURE_CHANNEL]: (payload: string) => failureFeed.notified(payload),
    // PGlite serves one process, which learns of its own changes without notifications.
    ...(listens ? { [CHANGE_CHANNEL]: (payload: string) => feed.notified(payload) } : {}),
  };
  const listener = new DatabaseListener({
    url: config.DATABASE_LISTEN_URL ?? config.DATABASE_URL,
    channels,
    notify: (channel, payload) => notify(database, channel, payload),
    log,
  });
  listener.afterGaps(() => void feed.again());
  const definitions = new DefinitionCache(database, apps);
  const evaluation = new Evaluation({
    timeoutMs: config.EXPRESSION_TIMEOUT_MS,
    threads: config.EXPRESSION_THREADS,
    maxResultBytes: config.MAX_OUTPUT_BYTES,
    inlineSchemaBytes: config.OBJECT_SCHEMA_INLINE_BYTES,
    schemaCompileMs: config.OBJECT_SCHEMA_COMPILE_MS,
  });
  const engine = createTemporalEngine({ client: temporal.client, config, eagerStart });
  const schedules = new Schedules({ database, engine: createTemporalSchedules(temporal.client, config), log });
  const { STARTS_IN_FLIGHT: most, SYNC_RUN_TIMEOUT_MS: patienceMs } = config;
  // The only process of a database can own no claims at its start: those it finds belong to a dead process.
  if (!listens) await releaseStartClaims(database, 'all');
  const line = new StartLine({ database, engine, feed, most, patienceMs, metrics, log });
  const starter = new Starter({
    database,
    line,
    definitions,
    evaluation,
    batchBytes: config.QUEUE_BATCH_BYTES,
    takeOverBatch: config.RETRY_BATCH_ITERATIONS,
  });
  const answers = new Submissions({ database, engine, definitions, feed, log });
  const releaser = new Releaser({ database, engine, starter, feed, log });
  return {
    config,
    log,
    database,
    metrics,
    isAlone: !listens,
    catalogue,
    apps,
    definitions,
    evaluation,
    feed,
    queueFeed,
    accessFeed,
    eventFeed,
    failureFeed,
    toolFeed,
    questionReplies,
    listener,
    engine,
    starter,
    releaser,
    schedules,
    turns: new TurnStarter(engine, log),
    spans,
    tracing: new Tracing(samplerOf(config.OTEL_TRACES_SAMPLER, config.OTEL_TRACES_SAMPLER_ARG)),
    answers,
    stepWakes: new StepWakes({ database, engine, log }),
    vault,
    oauth2,
    connectionTokens,
    openAiClient,
    mcpSessions: buildMcpSessions({
      allowedPrivateHosts: config.HTTP_ALLOWED_PRIVATE_HOSTS,
      maxAnswerBytes: config.MCP_MAX_ANSWER_BYTES,
    }),
    embedders: buildEmbedders({ config, openAiClient }),
    sealer: createSealer(config.ENCRYPTION_KEY),
    stepKeys,
    links,
    executionIds: createExecutionIds(config.ENCRYPTION_KEY),
    async close() {
      await releaser.stop();
      await line.close();
      await answers.drain();
      feed.stop();
      await listener.stop();
      await spans?.stop();
      await database.close();
    },
  };
}

function showPool(metrics: Metrics, { pool }: Database): void {
  metrics.readAtScrape('perdure_database_pool_size', () => pool.options.max);
  metrics.readAtScrape('perdure_database_pool_open', () => pool.totalCount);
  metrics.readAtScrape('perdure_database_pool_idle', () => pool.idleCount);
  metrics.readAtScrape('perdure_database_pool_waiting', () => pool.waitingCount);
}

function sendsSpans(config: Config): boolean {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = config;
  if (config.OTEL_SDK_DISABLED || config.OTEL_TRACES_EXPORTER === 'none') return false;
  return (OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined;
}

/** A pooler drops parameters of the connection start, so the role must have the timeout. */
async function checkStatementTimeout(database: Database, wantedMs: number, log: Logger): Promise<void> {
  const ms = await statementTimeoutMs(database);
  if (ms > 0 && ms <= wantedMs) return;
  const advice = `ALTER ROLE … SET statement_timeout = ${wantedMs}`;
  log.warn(
    { statementTimeoutMs: ms, advice },
    'statements are not cancelled in time behind the pooler: see docs/operations.md',
  );
}
