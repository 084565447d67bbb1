import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fetchOnce } from '../../../embedded/fetchOnce.ts';
import { anyPort } from '../../../process/ports.ts';

const run = promisify(execFile);
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'perdure');
const VERSION = '2.1.3';

/** GreenMail of Maven Central, a server of IMAP and SMTP; undefined without Java and Maven. */
export const GREENMAIL = await fetched();

async function fetched(): Promise<string | undefined> {
  const say = (text: string) => process.stderr.write(`perdure  ${text}\n`);
  const name = `greenmail-standalone-${VERSION}.jar`;
  try {
    await run('java', ['-version']);
    return await fetchOnce(
      { folder: join(CACHE, `greenmail-${VERSION}`), name, what: 'GreenMail', say },
      async (folder) => {
        const artifact = `-Dartifact=com.icegreen:greenmail-standalone:${VERSION}`;
        await run('mvn', ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${folder}`], {
          timeout: 240_000,
        });
        return join(folder, name);
      },
    );
  } catch (error) {
    say(`there is no GreenMail, and Maven cannot fetch it: ${(error as Error).message}`);
    return undefined;
  }
}

export interface GreenMail {
  imapPort: number;
  /** TLS from the start, with a certificate of `ca` for 127.0.0.1. */
  imapsPort: number;
  smtpPort: number;
  ca: string;
  stop(): Promise<void>;
}

const STORE_PASSWORD = 'changeit';

/** `user`: `name:password@domain`. */
export async function startGreenMail(jar: string, user: string): Promise<GreenMail> {
  const home = await mkdtemp(join(tmpdir(), 'perdure-greenmail-'));
  const store = join(home, 'keys.p12');
  const ca = await certificate(store);
  const ports = { imap: await anyPort(), imaps: await anyPort(), smtp: await anyPort() };
  const settings = [
    ...Object.entries(ports).flatMap(([protocol, port]) => [
      `-Dgreenmail.${protocol}.hostname=127.0.0.1`,
      `-Dgreenmail.${protocol}.port=${port}`,
    ]),
    ...[`-Dgreenmail.users=${user}`, '-Dgreenmail.verbose=true'],
    ...[`-Dgreenmail.tls.keystore.file=${store}`, `-Dgreenmail.tls.keystore.password=${STORE_PASSWORD}`],
  ];
  const server = spawn('java', ['-Xmx256m', ...settings, '-jar', jar], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  await new Promise<void>((done, fail) => {
    const read = (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-20_000);
      if (Object.keys(ports).every((protocol) => said.includes(`Started ${protocol}`))) done();
    };
    server.stdout.on('data', read);
    server.stderr.on('data', read);
    server.once('exit', (code) => fail(new Error(`GreenMail ended with ${code}: ${said}`)));
  });
  // Its log of each command must not fill the pipe.
  server.stdout.removeAllListeners('data').resume();
  server.stderr.removeAllListeners('data').resume();
  return {
    ...{ imapPort: ports.imap, imapsPort: ports.imaps, smtpPort: ports.smtp, ca },
    async stop() {
      const ended = once(server, 'exit');
      if (server.exitCode === null && server.signalCode === null) {
        server.kill('SIGKILL');
        await ended;
      }
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Writes a key with a certificate of its own into a PKCS 12 file, and returns the certificate. */
async function certificate(store: string): Promise<string> {
  const place = ['-alias', 'greenmail', '-keystore', store, '-storepass', STORE_PASSWORD, '-storetype', 'PKCS12'];
  const names = ['-dname', 'CN=localhost', '-ext', 'san=dns:localhost,ip:127.0.0.1'];
  await run('keytool', ['-genkeypair', '-keyalg', 'RSA', '-keysize', '2048', '-validity', '365', ...names, ...place]);
  return (await run('keytool', ['-exportcert', '-rfc', ...place])).stdout;
}
