import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { generate } from 'selfsigned';
import { buildAddressGuard } from '../../activities/apps/guard/addressGuard.ts';
import { withClient } from '../../activities/apps/postgres/openClient.ts';
import { runStatement } from '../../activities/apps/postgres/runStatement.ts';
import { serverSettings } from '../../activities/apps/postgres/serverSettings.ts';
import { buildPostgres } from '../../activities/apps/postgres/statementActions.ts';
import { runExecutor } from '../../activities/apps/runExecutor.ts';
import { NO_TLS, tlsBinaries } from '../postgres/binaries.mjs';
import { startPostgres } from '../postgres/startPostgres.mjs';
import { credentialsOf } from '../setup/database/databaseCredentials.ts';
import { poll } from '../setup/jest/poll.ts';

if (NO_TLS !== undefined) process.stderr.write(`perdure  ${NO_TLS}\n`);
const withServer = NO_TLS === undefined ? test : test.skip;

const SETTINGS = {
  allowedPrivateHosts: ['127.0.0.1', 'localhost'],
  maxRows: 10,
  maxOutputBytes: 10_000,
  maxClients: 4,
};
const { query } = buildPostgres(SETTINGS);

const certificate = () =>
  generate([{ name: 'commonName', value: 'Perdure test' }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });

const [own, other] = await Promise.all([certificate(), certificate()]);
let server: Awaited<ReturnType<typeof startPostgres>>;

beforeAll(async () => {
  if (NO_TLS !== undefined) return;
  server = await startPostgres(tlsBinaries, {
    settings: { ssl: 'on', ssl_cert_file: 'own.crt', ssl_key_file: 'own.key' },
    files: { 'own.crt': own.cert, 'own.key': own.private },
  });
}, 300_000);
afterAll(() => server?.stop());

const ENCRYPTED = 'SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()';

function ask(more: Record<string, string>, sql = ENCRYPTED) {
  const credentials = { ...credentialsOf(server.url), ...more };
  return runExecutor(query, { sql }, { connection: { type: 'custom', credentials } });
}

const encrypted = { ok: true, output: { rows: [{ ssl: true, version: 'TLSv1.3' }] } };

withServer('verify-full takes a certificate whose authority is given', async () => {
  expect(await ask({ ssl: 'verify-full', ca: own.cert })).toMatchObject(encrypted);
});

withServer.each([
  ['that nobody has signed', {}, /: DEPTH_ZERO_SELF_SIGNED_CERT\.$/],
  ['of another authority', { ca: other.cert }, /: DEPTH_ZERO_SELF_SIGNED_CERT\.$/],
  ['for another host', { ca: own.cert, host: 'localhost' }, /: ERR_TLS_CERT_ALTNAME_INVALID\.$/],
])('verify-full refuses a certificate %s, and says why', async (_, more, why) => {
  expect(await ask({ ssl: 'verify-full', ...more })).toMatchObject({
    ok: false,
    failure: { message: expect.stringMatching(why) },
  });
});

withServer('require encrypts with any signer', async () => {
  expect(await ask({ ssl: 'require' })).toMatchObject(encrypted);
});

withServer('disable does not encrypt, and is what the own network of the operator gets', async () => {
  const plain = { ok: true, output: { rows: [{ ssl: false, version: null }] } };
  expect(await ask({ ssl: 'disable' })).toMatchObject(plain);
  expect(await ask({})).toMatchObject(plain);
});

withServer('what runs is cancelled over TLS too', async () => {
  const inputs = { sql: 'SELECT pg_sleep(600)', timeoutMs: 500 };
  const credentials = { ...credentialsOf(server.url), ssl: 'require' };
  const result = await runExecutor(query, inputs, { connection: { type: 'custom', credentials } });
  expect(result).toMatchObject({ failure: { code: 'POSTGRES_TIMEOUT', retryable: true } });
  const sleepers =
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(600)'";
  await poll(() => ask({ ssl: 'require' }, sleepers)).toMatchObject({ output: { rows: [{ n: 0 }] } });
});

// PGlite ignores statement_timeout.
withServer('the server itself gives up a statement after its time, whatever becomes of the worker', async () => {
  const guard = buildAddressGuard(SETTINGS);
  const settings = serverSettings(credentialsOf(server.url), guard);
  const { signal } = new AbortController();
  const statement = { sql: 'SELECT pg_sleep(600)', parameters: [], limit: 1, timeoutMs: 300 };
  const run = withClient(settings, { guard, signal, maxBytes: 10_000 }, (client) =>
    runStatement(client, statement, true, () => undefined),
  );
  await expect(run).rejects.toMatchObject({ code: '57014', message: 'canceling statement due to statement timeout' });
});
