import type { Config } from '../../config.ts';
import { backUpPostgres, type DeploymentDatabases } from '../../engine/backup/backUpPostgres.ts';
import { shownReport, writeReport } from '../../engine/backup/report.ts';
import { restorePostgres } from '../../engine/backup/restorePostgres.ts';
import { AdminProblem } from './adminArguments.ts';
import type { SaveCommand } from './runAdminCommand.ts';

export async function save(command: SaveCommand, config: Config): Promise<object> {
  const databases = databasesOf(config, command.options['without-temporal'] ?? false);
  const { ENCRYPTION_KEY: encryptionKey, TEMPORAL_NAMESPACE: temporalNamespace } = config;
  if (command.name === 'backup') {
    const folder = command.options.to;
    const manifest = await backUpPostgres(databases, { folder, encryptionKey, temporalNamespace });
    const { startedAt, finishedAt, temporalAt, perdureAt, keys, files } = manifest;
    return { folder, startedAt, finishedAt, temporalAt, perdureAt, keys: keys.map(({ id }) => id), files };
  }
  const { from: folder, report } = command.options;
  const { manifest, restored } = await restorePostgres(databases, { folder, encryptionKey, temporalNamespace });
  if (report !== undefined) await writeReport(report, restored);
  return { folder, asOf: manifest.perdureAt, mayRepeat: shownReport(restored), report: report ?? null };
}

function databasesOf(config: Config, withoutTemporal: boolean): DeploymentDatabases {
  // Not through the pooler: a snapshot belongs to a session.
  const perdure = config.DATABASE_LISTEN_URL ?? config.DATABASE_URL;
  if (perdure === undefined) {
    throw new AdminProblem(
      'DATABASE_URL is not set. The data folder of `npm start` has `npm run backup` and `npm run restore`: docs/backup.md',
    );
  }
  if (withoutTemporal) return { perdure };
  const { TEMPORAL_DATABASE_URL: main, TEMPORAL_VISIBILITY_DATABASE_URL: visibility } = config;
  if (main !== undefined && visibility !== undefined) return { perdure, temporal: { main, visibility } };
  throw new AdminProblem(
    'Set TEMPORAL_DATABASE_URL and TEMPORAL_VISIBILITY_DATABASE_URL, or add --without-temporal if Temporal keeps its data itself (Temporal Cloud): docs/backup.md',
  );
}
