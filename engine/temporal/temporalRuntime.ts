import { Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/**
 * The SDK's one runtime of this process, with our logger: its own prints every retried call. Its messages are
 * logged without their metadata, which may hold arguments. Call before the first connection.
 */
export function installTemporalRuntime(log: Logger): void {
  const write = (level: keyof typeof LEVELS, message: string) => log[LEVELS[level]]({ from: 'temporal' }, message);
  Runtime.install({
    logger: {
      log: write,
      trace: (message) => write('TRACE', message),
      debug: (message) => write('DEBUG', message),
      info: (message) => write('INFO', message),
      warn: (message) => write('WARN', message),
      error: (message) => write('ERROR', message),
    },
    telemetryOptions: { logging: { forward: {}, filter: 'WARN' } },
    shutdownSignals: [],
  });
}
