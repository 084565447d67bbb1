import { pino } from 'pino';
import { type Config, readConfig, readServiceConfig } from '../../config.ts';
import { connectEmbeddedTemporal, connectTemporal, type TemporalParts } from '../../engine/temporal/connectTemporal.ts';
import { replayHistories } from '../../engine/temporal/replayHistories.ts';
import { endTemporalRuntime, installTemporalRuntime } from '../../engine/temporal/temporalRuntime.ts';
import { builds } from './builds.ts';
import { diagnose, invalidSettings } from './doctor.ts';
import { findDeployment } from './findDeployment.ts';
import type { ExamCommand } from './runAdminCommand.ts';

export async function examine(command: ExamCommand): Promise<{ ok: boolean; answer: object }> {
  let config: Config;
  try {
    config = (command.name === 'doctor' ? readServiceConfig : readConfig)(process.env);
  } catch (error) {
    if (command.name !== 'doctor') throw error;
    const answer = invalidSettings(error as Error);
    return { ok: answer.ok, answer };
  }
  const { databaseUrl, encryptionKey, temporalAddress } = await findDeployment(config);
  const connect = () => connectQuietly(config, temporalAddress);
  if (command.name === 'doctor') {
    const answer = await diagnose({ config, databaseUrl, encryptionKey, connect });
    return { ok: answer.ok, answer };
  }
  const temporal = await connect();
  try {
    if (command.name !== 'replay') return { ok: true, answer: await builds(temporal, command, config) };
    const answer = await replayHistories(temporal.client, config.TEMPORAL_TASK_QUEUE, command.options.limit);
    return { ok: answer.broken.length === 0, answer };
  } finally {
    await temporal.connection.close();
  }
}

async function connectQuietly(config: Config, address: string | undefined): Promise<TemporalParts> {
  installTemporalRuntime(pino({ level: 'silent' }));
  try {
    return await (address === undefined ? connectTemporal(config) : connectEmbeddedTemporal(address, config));
  } catch (error) {
    // The runtime ends with its last connection. Without one, the process would not exit.
    await endTemporalRuntime();
    throw error;
  }
}
