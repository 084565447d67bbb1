import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buildConnectionChecks } from '../activities/apps/connectionChecks.ts';
import { buildLoadOptions } from '../activities/apps/optionLoaders.ts';
import { FairPlaces } from '../engine/fairness/fairPlaces.ts';
import type { Parts } from '../process/parts.ts';
import { SsoClients } from './access/sso/ssoClients.ts';
import { createTokens } from './access/token.ts';
import { buildApp } from './app.ts';
import { AuditLog } from './audit/auditLog.ts';
import { drainOf } from './drain.ts';
import { ExecutionFollowers } from './executions/executionFollowers.ts';
import { readLimitsOf } from './executions/readLimitsOf.ts';
import { createHttpServer } from './httpServer.ts';
import { McpStreams } from './mcp/mcpStreams.ts';
import { UnreadBytes } from './streams/eventStream.ts';
import { OpenStreams } from './streams/openStreams.ts';
import { WorkspaceFollowers } from './streams/workspaceFollowers.ts';
import { TurnFollowers } from './turns/turnFollowers.ts';

export interface RunningApi {
  /** The actual port, in case PORT is 0. */
  port: number;
  /** Refuses new requests, ends event streams, and waits for running requests, at most DRAIN_TIMEOUT_MS. */
  stop(): Promise<void>;
}

/** Listens on HOST and PORT. Throws if the port is taken, or if openapi.yaml and the operations disagree. */
export async function startApi(parts: Parts): Promise<RunningApi> {
  const { config, database, feed, catalogue, log } = parts;
  const tokens = createTokens(config.TOKEN_SECRET, config.ACCESS_TOKEN_TTL);
  const unread = new UnreadBytes(config.MAX_UNREAD_STREAM_BYTES);
  const followers = new ExecutionFollowers({
    unread,
    database,
    feed,
    catalogue,
    limits: readLimitsOf(config),
    maxPauseMs: config.SSE_MAX_PAUSE_MS,
    heartbeatMs: config.SSE_HEARTBEAT_MS,
    log,
  });
  const turnFollowers = new TurnFollowers({
    ...{ unread, database, feed, maxPauseMs: config.SSE_MAX_PAUSE_MS, keepAliveMs: config.SSE_HEARTBEAT_MS, log },
  });
  const workspaceFollowers = new WorkspaceFollowers({
    ...{ unread, database, feed, queueFeed: parts.queueFeed, listener: parts.listener, log },
    isAlone: parts.isAlone,
    gatherMs: config.WORKSPACE_STREAM_GATHER_MS,
    pauseMs: config.WORKSPACE_STREAM_PAUSE_MS,
    queueLookMs: config.WORKSPACE_STREAM_QUEUE_LOOK_MS,
    maxGathered: config.WORKSPACE_STREAM_MOST_GATHERED,
    maxKept: config.WORKSPACE_STREAM_KEPT_EVENTS,
    keptMs: config.WORKSPACE_STREAM_KEPT_MS,
    heartbeatMs: config.SSE_HEARTBEAT_MS,
  });
  const mcpStreams = new McpStreams({
    ...{ toolFeed: parts.toolFeed, unread, keepAliveMs: config.SSE_HEARTBEAT_MS },
    gatherMs: config.WORKSPACE_STREAM_GATHER_MS,
  });
  const openStreams = new OpenStreams({
    ...{ database, log, accessFeed: parts.accessFeed, recheckMs: config.SSE_HEARTBEAT_MS },
  });
  const connectionChecks = buildConnectionChecks({
    allowedPrivateHosts: config.HTTP_ALLOWED_PRIVATE_HOSTS,
    timeoutMs: config.CONNECTION_CHECK_TIMEOUT_MS,
    slackUrl: config.SLACK_URL,
  });
  const loadOptions = buildLoadOptions(
    {
      allowedPrivateHosts: config.HTTP_ALLOWED_PRIVATE_HOSTS,
      maxResponseBytes: config.MAX_OUTPUT_BYTES,
      gitHubUrl: config.GITHUB_URL,
      slackUrl: config.SLACK_URL,
      ...{ database, isRunnerOn: config.RUNNER, maxOutputBytes: config.MAX_OUTPUT_BYTES },
      ...{ maxCodeConsoleBytes: config.CODE_MAX_CONSOLE_BYTES, runnerMemoryMb: config.RUNNER_MEMORY_MB },
      maxRunnerProcesses: config.RUNNER_PROCESSES,
    },
    parts,
  );
  const sso = new SsoClients(config.SSO_PROVIDERS, config);
  const audit = new AuditLog(database, log);
  const nodeTestPlaces = new FairPlaces(config.NODE_TESTS_AT_ONCE, {
    waiting: config.NODE_TESTS_WAITING,
    patienceMs: config.SYNC_RUN_TIMEOUT_MS,
  });
  const streams = { followers, turnFollowers, workspaceFollowers, openStreams, mcpStreams };
  const app = buildApp({ ...parts, tokens, sso, audit, ...streams, connectionChecks, loadOptions, nodeTestPlaces });
  const server = createHttpServer(app, config, log);
  const drain = drainOf(server);
  server.listen(config.PORT, config.HOST);
  await once(server, 'listening');
  parts.metrics.serveApi();
  const { port } = server.address() as AddressInfo;
  if (config.PUBLIC_URL === undefined) parts.links.isAt(`http://127.0.0.1:${port}`);
  return {
    port,
    async stop() {
      const drained = drain(config.DRAIN_TIMEOUT_MS);
      followers.stop();
      turnFollowers.stop();
      workspaceFollowers.stop();
      openStreams.stop();
      mcpStreams.stop();
      await drained;
      await audit.settled();
    },
  };
}
