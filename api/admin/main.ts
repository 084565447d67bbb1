import { readConfig } from '../../config.ts';
import { Problem } from '../../domain/problem.ts';
import { BackupProblem } from '../../engine/backup/backupProblem.ts';
import { createDatabase } from '../../prisma/client.ts';
import { isDatabaseUnavailable } from '../../prisma/databaseErrors.ts';
import { requireMigrated } from '../../prisma/migrate.ts';
import { type AdminCommand, AdminProblem, askedUsage, readAdminCommand } from './adminArguments.ts';
import { findDeployment } from './findDeployment.ts';
import { type ExamCommand, runAdminCommand } from './runAdminCommand.ts';

/** Prints the answer as JSON. Exit code 2: the operator can correct it; 1: anything else, and findings of `doctor`. */
async function main(argv: readonly string[]): Promise<void> {
  const usage = askedUsage(argv);
  if (usage !== undefined) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const command = readAdminCommand(argv);
  if (isExam(command)) {
    const { examine } = await import('./examine.ts');
    const { ok, answer } = await examine(command);
    process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
    process.exitCode = ok ? 0 : 1;
    return;
  }
  const config = readConfig(process.env);
  if (command.name === 'backup' || command.name === 'restore') {
    const { save } = await import('./save.ts');
    process.stdout.write(`${JSON.stringify(await save(command, config), null, 2)}\n`);
    return;
  }
  const { databaseUrl, deployment, encryptionKey } = await findDeployment(config);
  await requireMigrated(databaseUrl);
  const database = createDatabase(databaseUrl, 1);
  try {
    const answer = await runAdminCommand(database, deployment, { ...config, ENCRYPTION_KEY: encryptionKey }, command);
    process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
  } finally {
    await database.close();
  }
}

function isExam(command: AdminCommand): command is ExamCommand {
  return ['doctor', 'replay', 'builds list', 'builds use'].includes(command.name);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${describe(error)}\n`);
  process.exitCode =
    error instanceof AdminProblem || error instanceof Problem || error instanceof BackupProblem ? 2 : 1;
}

function describe(error: unknown): string {
  if (isDatabaseUnavailable(error)) {
    const { code, message } = error as Error & { code?: string };
    // The last line has the reason; the first one names the call of the client.
    const reason = message.split('\n').at(-1) || code;
    return `the database does not answer, or refuses the connection: ${reason}. Check that Postgres runs, and that DATABASE_URL has its address, database, user and password.`;
  }
  if (!(error instanceof Error)) return String(error);
  const details =
    error instanceof Problem ? (error.errors ?? []).map((one) => `\n  --${one.path}: ${one.message}`) : [];
  return `${error.message}${details.join('')}`;
}
