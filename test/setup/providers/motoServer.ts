import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fetchOnce } from '../../../embedded/fetchOnce.ts';
import { anyPort } from '../../../process/ports.ts';

const run = promisify(execFile);
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'perdure');
const VERSION = '5.1.22';

/** Moto of PyPI, which speaks S3; installed once per machine. Undefined without pip. */
export const MOTO = await installed();

async function installed(): Promise<string | undefined> {
  const say = (text: string) => process.stderr.write(`perdure  ${text}\n`);
  const place = { folder: join(CACHE, `moto-${VERSION}`), name: 'site', what: 'moto, a server of S3', say };
  try {
    return await fetchOnce(place, async (workshop) => {
      const site = join(workshop, 'site');
      const packages = [`moto[s3]==${VERSION}`, 'flask', 'flask-cors'];
      await run('python3', ['-m', 'pip', 'install', '--quiet', '--target', site, ...packages], { timeout: 480_000 });
      return site;
    });
  } catch (error) {
    say(`there is no moto, and pip cannot install it: ${(error as Error).message}`);
    return undefined;
  }
}

export interface MotoServer {
  url: string;
  stop(): Promise<void>;
}

export async function startMoto(site: string): Promise<MotoServer> {
  const port = await anyPort();
  const args = ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)];
  const server = spawn('python3', args, {
    env: { ...process.env, PYTHONPATH: site },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  await new Promise<void>((done, fail) => {
    server.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-10_000);
      if (said.includes('Running on')) done();
    });
    server.once('exit', (code) => fail(new Error(`moto ended with ${code}: ${said}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      if (server.signalCode !== null) return;
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    },
  };
}
