import { buildCustomExecutors, customExecutorTable } from '../activities/apps/custom/customExecutors.ts';
import { buildExecutors } from '../activities/apps/executors.ts';
import { buildRequest } from '../activities/apps/http/request.ts';
import { buildPollers } from '../activities/apps/pollers.ts';
import { LoopContexts } from '../activities/execution/loopContexts.ts';
import { OpenedLoops } from '../activities/execution/openedLoops.ts';
import type { ActivityServices } from '../activities/services.ts';
import { ProgressWriter } from '../engine/executions/progressWriter.ts';
import { FairPlaces } from '../engine/fairness/fairPlaces.ts';
import type { Parts } from '../process/parts.ts';

/** After PATIENCE_MS an action moves to the overflow queue, and a poll to a later try. */
export const WAITING = 100;
const PATIENCE_MS = 1_000;

export function activityServices(parts: Parts): ActivityServices {
  const { config, database, feed } = parts;
  const executorOf = buildExecutors({
    database,
    openAiClient: parts.openAiClient,
    allowedPrivateHosts: config.HTTP_ALLOWED_PRIVATE_HOSTS,
    gitHubUrl: config.GITHUB_URL,
    slackUrl: config.SLACK_URL,
    maxResponseBytes: config.MAX_OUTPUT_BYTES,
    maxOutputBytes: config.MAX_OUTPUT_BYTES,
    maxRows: config.POSTGRES_MAX_ROWS,
    maxClients: config.POSTGRES_CLIENTS,
    maxMySqlRows: config.MYSQL_MAX_ROWS,
    maxMySqlClients: config.MYSQL_CLIENTS,
    maxMailBytes: config.SMTP_MAX_BYTES,
    maxCodeThreads: config.CODE_THREADS,
    maxCodeTimeoutMs: config.CODE_MAX_TIMEOUT_MS,
    maxCodeMemoryMb: config.CODE_MAX_MEMORY_MB,
    maxCodeConsoleBytes: config.CODE_MAX_CONSOLE_BYTES,
    maxObjectBytes: config.OBJECT_MAX_BYTES,
    evaluation: parts.evaluation,
  });
  const rss = buildRequest({
    app: 'rss',
    allowedPrivateHosts: config.HTTP_ALLOWED_PRIVATE_HOSTS,
    maxResponseBytes: config.MAX_OUTPUT_BYTES,
  });
  const pollerOf = buildPollers(
    { http: executorOf('http', 'request'), rss },
    {
      filesRoot: config.FILES_ROOT,
      maxItems: config.POLL_MAX_ITEMS,
      allowedPrivateHosts: config.HTTP_ALLOWED_PRIVATE_HOSTS,
      database,
    },
  );
  const writer = new ProgressWriter(database, feed, {
    writes: config.GROUP_WRITE_MAX,
    bytes: config.GROUP_WRITE_MAX_BYTES,
    gatherMs: config.GROUP_WRITE_GATHER_MS,
  });
  const loopContexts = new LoopContexts(database, config.LOOP_CONTEXT_CACHE_BYTES);
  const openedLoops = new OpenedLoops(database, config.LOOP_CONTEXT_CACHE_BYTES);
  const line = { waiting: WAITING, patienceMs: PATIENCE_MS };
  const places = new FairPlaces(config.ACTIONS_AT_ONCE, line);
  const pollPlaces = new FairPlaces(config.POLLS_AT_ONCE, line);
  // A wait without a place polls again later instead of queueing.
  const waitPlaces = new FairPlaces(config.WAITS_AT_ONCE, { waiting: 0, patienceMs: 0 });
  const customExecutor = buildCustomExecutors(
    customExecutorTable({
      database,
      log: parts.log,
      sealer: parts.sealer,
      mcpSessions: parts.mcpSessions,
      allowedPrivateHosts: config.HTTP_ALLOWED_PRIVATE_HOSTS,
      maxResponseBytes: config.MAX_OUTPUT_BYTES,
      maxTools: config.MCP_MAX_TOOLS,
      timeoutMs: config.ACTION_TIMEOUT_MS,
      isRunnerOn: config.RUNNER,
      ...{ maxOutputBytes: config.MAX_OUTPUT_BYTES, maxCodeConsoleBytes: config.CODE_MAX_CONSOLE_BYTES },
      ...{ runnerMemoryMb: config.RUNNER_MEMORY_MB, maxRunnerProcesses: config.RUNNER_PROCESSES },
    }),
  );
  const lines = { places, pollPlaces, waitPlaces };
  return { ...parts, writer, loopContexts, openedLoops, ...lines, executorOf, customExecutor, pollerOf };
}
