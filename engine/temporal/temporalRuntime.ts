import { type LogMetadata, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/** Ids and names: without them nobody finds the execution in the Temporal UI. */
const SHOWN = ['workflowId', 'workflowType', 'activityId', 'activityType', 'attempt'] as const;

/** The queue of overflow has actions alone, on purpose; at each start it would read as if no worker polled. */
const EXPECTED = 'No workflows registered, not polling for workflow tasks';

/**
 * The SDK's one runtime of this process, with our logger: its own prints every retried call. Of the metadata of its
 * messages only ids are logged: others may hold arguments. `metricsAddress`: host:port, where it serves its metrics. Call
 * before the first connection.
 */
export function installTemporalRuntime(log: Logger, metricsAddress?: string): void {
  const write = (level: keyof typeof LEVELS, message: string, meta: LogMetadata = {}) =>
    log[message === EXPECTED ? 'debug' : LEVELS[level]](
      { from: 'temporal', ...Object.fromEntries(SHOWN.map((name) => [name, meta[name]])) },
      message,
    );
  Runtime.install({
    logger: {
      log: write,
      trace: (message, meta) => write('TRACE', message, meta),
      debug: (message, meta) => write('DEBUG', message, meta),
      info: (message, meta) => write('INFO', message, meta),
      warn: (message, meta) => write('WARN', message, meta),
      error: (message, meta) => write('ERROR', message, meta),
    },
    telemetryOptions: {
      logging: { forward: {}, filter: 'WARN' },
      ...(metricsAddress === undefined ? {} : { metrics: { prometheus: prometheusAt(metricsAddress) } }),
    },
    shutdownSignals: [],
  });
}

/** For a process that opens no connection after `installTemporalRuntime`. */
export async function endTemporalRuntime(): Promise<void> {
  await Runtime.instance().shutdown();
}

/** Names as Prometheus wants them: seconds, and `_total` behind counters. */
function prometheusAt(bindAddress: string) {
  return {
    bindAddress,
    countersTotalSuffix: true,
    unitSuffix: true,
    useSecondsForDurations: true,
  };
}
