import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { BackupProblem } from '../engine/backup/backupProblem.ts';
import { shownReport, writeReport } from '../engine/backup/report.ts';
import { backUpFolder, restoreFolder } from './backupFolder.ts';
import type { Say } from './say.ts';

// Stdout gets only the JSON result. Exit code 2: the operator can fix it.

const say: Say = (line) => {
  process.stderr.write(`perdure  ${line}\n`);
};

const USAGE = `usage: npm run backup -- --to <new folder>
       npm run restore -- --from <folder> [--report <new file>]
of the data folder of \`npm start\` (PERDURE_DATA_DIR, .perdure where absent); a backup may be made while it runs`;

async function run(argv: readonly string[]): Promise<object> {
  const [command, ...args] = argv;
  const config = readConfig(process.env);
  const { PERDURE_DATA_DIR: dataDir, ENCRYPTION_KEY: encryptionKey, TEMPORAL_NAMESPACE: temporalNamespace } = config;
  const shared = { dataDir, encryptionKey, temporalNamespace, say };
  const { to, from, report } = optionsOf(args);
  // Backups contain secrets: only the owner may read them.
  process.umask(0o077);
  if (command === 'backup' && to !== undefined) {
    const { perdureAt, keys, files } = await backUpFolder({ ...shared, folder: to });
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    return { folder: to, perdureAt, keys: keys.map(({ id }) => id), files: files.length, bytes };
  }
  if (command === 'restore' && from !== undefined) {
    const { manifest, restored } = await restoreFolder({ ...shared, folder: from });
    if (report !== undefined) await writeReport(report, restored);
    return {
      folder: from,
      dataDir,
      asOf: manifest.perdureAt,
      mayRepeat: shownReport(restored),
      report: report ?? null,
    };
  }
  throw new BackupProblem(USAGE);
}

function optionsOf(args: readonly string[]): { to?: string; from?: string; report?: string } {
  const text = { type: 'string' as const };
  try {
    return parseArgs({ args: [...args], options: { to: text, from: text, report: text } }).values;
  } catch (error) {
    throw new BackupProblem(`${(error as Error).message}\n\n${USAGE}`);
  }
}

try {
  process.stdout.write(`${JSON.stringify(await run(process.argv.slice(2)), null, 2)}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = error instanceof BackupProblem ? 2 : 1;
}
