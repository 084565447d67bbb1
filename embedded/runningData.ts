import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupProblem } from '../engine/backup/backupProblem.ts';
import { childrenOf } from './dataProcesses.ts';
import { whilePaused } from './pauseProcesses.ts';
import type { Running } from './runningFile.ts';

export interface RunningData {
  databaseUrl: string;
  still<T>(work: () => Promise<T>): Promise<T>;
}

/** Throws a BackupProblem if a database of the folder has no process, because it is starting or ending. */
export async function runningData(dataDir: string): Promise<RunningData> {
  const file = join(dataDir, 'running.json');
  const later = new BackupProblem(`Perdure starts or ends just now on ${dataDir}: try again`);
  if (!existsSync(file)) throw later;
  const { pid, databaseUrl } = JSON.parse(await readFile(file, 'utf8')) as Running;
  return {
    databaseUrl,
    async still(work) {
      const { database, temporal } = await childrenOf(pid);
      if (database === undefined || (temporal === undefined && existsSync(join(dataDir, 'temporal.db')))) throw later;
      // Pause Temporal first: a restore could not repair a history that is newer than its rows.
      return whilePaused(temporal === undefined ? [database] : [temporal, database], work);
    },
  };
}
