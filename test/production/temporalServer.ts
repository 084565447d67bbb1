import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { type SupervisedChild, startChild } from '../../embedded/childProcess.ts';
import type { Say } from '../../embedded/say.ts';
import { anyPort } from '../../process/ports.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { type TemporalPorts, temporalConfig } from './temporalConfig.ts';

export const DEPLOY = join(PROJECT_ROOT, 'deploy/temporal');
const READY_MS = 60_000;

async function freePorts(): Promise<TemporalPorts> {
  // The server stores ports in a signed column of 16 bits; all of anyPort fit.
  const four = async () => ({
    frontend: await anyPort(),
    history: await anyPort(),
    matching: await anyPort(),
    worker: await anyPort(),
  });
  return { ...(await four()), http: await anyPort(), membership: await four() };
}

async function frontendAnswers(address: string): Promise<boolean> {
  const connection = await Connection.connect({ address, connectTimeout: 1_000 }).catch(() => undefined);
  await connection?.close();
  return connection !== undefined;
}

/** On free loopback ports, on the existing databases of `environment`, in the form that the image reads. */
export async function startTemporalServer(options: {
  tools: string;
  /** For its configuration. */
  folder: string;
  logFile: string;
  environment: Record<string, string>;
  say: Say;
}): Promise<{ address: string; child: SupervisedChild }> {
  const { tools, folder, logFile, environment, say } = options;
  const ports = await freePorts();
  const address = `127.0.0.1:${ports.frontend}`;
  mkdirSync(join(folder, 'config'), { recursive: true });
  const text = temporalConfig(environment, ports, join(DEPLOY, 'dynamic-config.yaml'));
  writeFileSync(join(folder, 'config/production.yaml'), text, { mode: 0o600 });
  const child = await startChild({
    name: 'Temporal server',
    command: join(tools, 'temporal-server'),
    args: ['--root', folder, '--env', 'production', '--allow-no-auth', 'start'],
    logFile,
    isReady: () => frontendAnswers(address),
    readyTimeoutMs: READY_MS,
    say,
  });
  return { address, child };
}
