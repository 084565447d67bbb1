import type { Logger } from 'pino';
import { startApi } from '../api/startApi.ts';
import type { Config } from '../config.ts';
import { connectEmbeddedTemporal, connectTemporal } from '../engine/temporal/connectTemporal.ts';
import { installTemporalRuntime } from '../engine/temporal/temporalRuntime.ts';
import type { Database } from '../prisma/client.ts';
import { createParts } from '../process/parts.ts';
import { processMetrics } from '../process/processMetrics.ts';
import { startWorker } from '../worker/startWorker.ts';

export interface Processes {
  database: Database;
  port: number;
  metricsUrl: string | undefined;
  /** Settles when the worker ends by itself or is stopped. */
  workerEnded: Promise<void>;
  /** Stops accepting requests, drains the API, then the worker, and closes their dependencies. */
  stop(): Promise<void>;
}

/**
 * API and worker share one NativeConnection, so that the response to a start contains the first task (eager start), and
 * one change feed. `embeddedTemporal`: the address of our own server, if any.
 */
export async function startProcesses(
  config: Config & { DATABASE_URL: string },
  embeddedTemporal: string | undefined,
  log: Logger,
): Promise<Processes> {
  const { metrics, served } = await processMetrics(config, log);
  installTemporalRuntime(log, served?.sdkAddress);
  const temporal =
    embeddedTemporal === undefined
      ? await connectTemporal(config)
      : await connectEmbeddedTemporal(embeddedTemporal, config);
  const parts = await createParts({ config, temporal, eagerStart: true, log, metrics });
  const worker = await startWorker(parts, temporal);
  const api = await startApi(parts);

  async function stop(): Promise<void> {
    await api.stop();
    await worker.stop();
    await parts.close();
    await temporal.connection.close();
    await served?.stop();
  }
  return { database: parts.database, port: api.port, metricsUrl: served?.url, workerEnded: worker.died, stop };
}
