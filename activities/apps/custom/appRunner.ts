import type { CustomApp } from '../../../domain/app/customApp.ts';
import { contentDigest } from '../../../domain/app/customRuns.ts';
import type { Database } from '../../../prisma/client.ts';
import { readContent } from '../../../prisma/store/app/contents.ts';
import { type RunnerApp, type RunnerCall, type RunnerEnd, RunnerPool } from '../../../runner/runnerPool.ts';
import { buildGuardedDial } from '../guard/guardedDial.ts';
import { byWorkspace } from '../guard/privateHosts.ts';

export interface AppRunnerSettings {
  database: Database;
  /** RUNNER */
  isRunnerOn: boolean;
  allowedPrivateHosts: string[];
  maxOutputBytes: number;
  maxCodeConsoleBytes: number;
  runnerMemoryMb: number;
  maxRunnerProcesses: number;
}

/** Runs a function of the bundle of an app of functions, or of a piece. */
export type AppRunner = (app: CustomApp, workspaceId: string, call: RunnerCall) => Promise<RunnerEnd>;

export function buildAppRunner(settings: AppRunnerSettings): AppRunner {
  const { database, allowedPrivateHosts } = settings;
  const pool = new RunnerPool({
    memoryMb: settings.runnerMemoryMb,
    maxOutputBytes: settings.maxOutputBytes,
    maxConsoleBytes: settings.maxCodeConsoleBytes,
    maxProcesses: settings.maxRunnerProcesses,
    dialOf: byWorkspace({ allowedPrivateHosts }, 'http', buildGuardedDial),
  });
  return (app, workspaceId, call) => pool.run(runnerApp(database, app, workspaceId), call);
}

function runnerApp(database: Database, { appId, custom }: CustomApp, workspaceId: string): RunnerApp {
  const { digest = '' } = contentDigest(custom.runs) ?? {};
  return {
    workspaceId,
    digest,
    file: custom.runs.on === 'function' ? `functions/${appId}.js` : `${appId}.js`,
    async read() {
      const content = await readContent(database, workspaceId, digest);
      if (content === undefined) throw new Error(`The bundle ${digest} of the app ${appId} is missing`);
      return Buffer.from(content).toString();
    },
  };
}
