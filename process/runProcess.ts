import type { Logger } from 'pino';
import { type Config, readConfig } from '../config.ts';
import { connectTemporal, type TemporalParts } from '../engine/temporal/connectTemporal.ts';
import { installTemporalRuntime } from '../engine/temporal/temporalRuntime.ts';
import { createLog } from './log.ts';
import { createParts, type Parts } from './parts.ts';

/** A process of its own (`npm run api`, `npm run worker`): settings from the environment, logs on stdout. */
export async function runProcess(
  name: string,
  start: (parts: Parts, temporal: TemporalParts) => Promise<{ stop(): Promise<void>; died?: Promise<void> }>,
): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.LOG_LEVEL, { name });
  installTemporalRuntime(log);
  const temporal = await connectTemporal(config);
  const parts = await createParts({ config: requireDatabase(config), temporal, eagerStart: false, log });
  const running = await start(parts, temporal);
  log.info('ready');
  const reason = await Promise.race([untilSignal(), running.died?.then(() => 'the worker ended') ?? never]);
  log.info({ reason }, 'stopping');
  await stop(log, running, parts, temporal);
}

const never = new Promise<string>(() => undefined);

async function stop(log: Logger, running: { stop(): Promise<void> }, parts: Parts, temporal: TemporalParts) {
  await running.stop();
  await parts.close();
  await temporal.connection.close();
  log.info('stopped');
}

function requireDatabase(config: Config): Config & { DATABASE_URL: string } {
  const { DATABASE_URL } = config;
  if (DATABASE_URL === undefined)
    throw new Error('DATABASE_URL is missing: expected postgresql://user:password@host/database');
  return { ...config, DATABASE_URL };
}

/** Resolves at the first SIGINT or SIGTERM. */
function untilSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal));
  });
}
