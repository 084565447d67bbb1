import { type Config, readServiceConfig } from '../config.ts';
import { connectTemporal, type TemporalParts } from '../engine/temporal/connectTemporal.ts';
import { installTemporalRuntime } from '../engine/temporal/temporalRuntime.ts';
import { isDatabaseUnavailable } from '../prisma/databaseErrors.ts';
import { requireMigrated } from '../prisma/migrate.ts';
import { createLog } from './log.ts';
import { createParts, type Parts } from './parts.ts';
import { processMetrics } from './processMetrics.ts';

/** Runs a process (`npm run api`, `npm run worker`) with settings from the environment and logs on stdout. */
export async function runProcess(
  name: string,
  start: (parts: Parts, temporal: TemporalParts) => Promise<{ stop(): Promise<void>; died?: Promise<void> }>,
): Promise<void> {
  let log = createLog('info', { name });
  const { temporal, parts, running, served } = await started().catch((error: unknown) => {
    // Node would print the throwing source line of an unhandled error, which fills the screen for Prisma's bundle.
    log.fatal({ err: error }, `the process does not start: ${reasonOf(error)}`);
    process.exit(1);
  });
  log.info({ metricsUrl: served?.url }, 'ready');
  const reason = await Promise.race([untilSignal(), running.died?.then(() => 'the worker ended') ?? never]);
  log.info({ reason }, 'stopping');
  await stop(running, parts, temporal);
  await served?.stop();
  log.info('stopped');

  async function started() {
    const config = readServiceConfig(process.env);
    log = createLog(config.LOG_LEVEL, { name });
    const { DATABASE_URL } = requireDatabase(config);
    await requireMigrated(DATABASE_URL);
    const { metrics, served } = await processMetrics(config, log);
    installTemporalRuntime(log, served?.sdkAddress);
    const temporal = await connectTemporal(config);
    const parts = await createParts({ config: { ...config, DATABASE_URL }, temporal, eagerStart: false, log, metrics });
    return { temporal, parts, served, running: await start(parts, temporal) };
  }
}

function reasonOf(error: unknown): string {
  if (isDatabaseUnavailable(error)) return 'the database of DATABASE_URL does not answer, or refuses the connection';
  return error instanceof Error ? error.message : String(error);
}

const never = new Promise<string>(() => undefined);

async function stop(running: { stop(): Promise<void> }, parts: Parts, temporal: TemporalParts) {
  await running.stop();
  await parts.close();
  await temporal.connection.close();
}

function requireDatabase(config: Config): Config & { DATABASE_URL: string } {
  const { DATABASE_URL } = config;
  if (DATABASE_URL === undefined)
    throw new Error('DATABASE_URL is missing: expected postgresql://user:password@host/database');
  return { ...config, DATABASE_URL };
}

function untilSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal));
  });
}
