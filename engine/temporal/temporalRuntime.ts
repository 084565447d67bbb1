import { type LogMetadata, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/** Ids and names, by which the execution is found in the Temporal UI. */
const SHOWN = ['workflowId', 'workflowType', 'activityId', 'activityType', 'attempt'] as const;

/** The overflow queue has only actions on purpose; a warning at each start would mislead. */
const EXPECTED = 'No workflows registered, not polling for workflow tasks';

/**
 * Call before the first connection. The SDK's own logger logs every retried call. Logs only ids of the metadata, which
 * may contain arguments. `metricsAddress`: host:port.
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

/** Call it only if the process opens no further connection. */
export async function endTemporalRuntime(): Promise<void> {
  await Runtime.instance().shutdown();
}

function prometheusAt(bindAddress: string) {
  return {
    bindAddress,
    countersTotalSuffix: true,
    unitSuffix: true,
    useSecondsForDurations: true,
  };
}
