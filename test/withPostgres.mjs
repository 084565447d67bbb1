// node test/withPostgres.mjs [--contrib] <command> [arguments]: runs a command with DATABASE_URL of a real Postgres 16
// with pgvector, new and empty, on loopback; with --contrib, of an 18 that has Postgres's own extensions too, which
// Temporal's schema needs; PERDURE_TEST_POSTGRES_BIN has its programs. Both end with this process, however it ends.
import { spawn } from 'node:child_process';
import { wheelBinaries } from './postgres/binaries.mjs';
import { startPostgres } from './postgres/startPostgres.mjs';

const contrib = process.argv[2] === '--contrib';
const [command, ...args] = process.argv.slice(contrib ? 3 : 2);
if (command === undefined) {
  process.stderr.write('usage: node test/withPostgres.mjs [--contrib] <command> [arguments]\n');
  process.exit(2);
}
const { url, bin, stop } = await startPostgres((home) => wheelBinaries(home, { contrib }));
const worker = spawn(command, args, {
  stdio: 'inherit',
  env: { ...process.env, DATABASE_URL: url, PERDURE_TEST_POSTGRES_BIN: bin },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => worker.kill(signal));
const exitCode = await new Promise((done) => {
  worker.once('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    done(127);
  });
  worker.once('exit', (code) => done(code ?? 1));
});
await stop();
process.exit(exitCode);
