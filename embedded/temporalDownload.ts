import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

export const TEMPORAL_VERSION = '1.5.1';

const ANSWER_MS = 5_000;
const DOWNLOAD_MS = 120_000;

/** By Node's names of platform and processor. A new version needs the sums of its release (`checksums.txt`). */
const CHECKSUMS: Record<string, { name: string; sha256: string }> = {
  'linux x64': { name: 'linux_amd64', sha256: 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d' },
  'linux arm64': { name: 'linux_arm64', sha256: 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5' },
  'darwin x64': { name: 'darwin_amd64', sha256: 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9' },
  'darwin arm64': { name: 'darwin_arm64', sha256: 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415' },
};

export interface PinnedArchive {
  address: string;
  sha256: string;
}

export function temporalArchive(platform: string, arch: string): PinnedArchive | undefined {
  const found = CHECKSUMS[`${platform} ${arch}`];
  if (found === undefined) return undefined;
  const releases = 'https://github.com/temporalio/cli/releases/download';
  return {
    address: `${releases}/v${TEMPORAL_VERSION}/temporal_cli_${TEMPORAL_VERSION}_${found.name}.tar.gz`,
    sha256: found.sha256,
  };
}

/** Extracts `temporal` into the folder. Throws, without unpacking anything, if the checksum differs. */
export async function downloadTemporal({ address, sha256 }: PinnedArchive, folder: string): Promise<void> {
  const slow = new AbortController();
  const answerTimer = setTimeout(() => slow.abort(new Error('no answer')), ANSWER_MS);
  const signal = AbortSignal.any([slow.signal, AbortSignal.timeout(DOWNLOAD_MS)]);
  const answer = await fetch(address, { signal }).finally(() => clearTimeout(answerTimer));
  if (!answer.ok || answer.body === null) throw new Error(`status ${answer.status}`);
  const archive = join(folder, 'temporal.tar.gz');
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk, _, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(Readable.fromWeb(answer.body), hashing, createWriteStream(archive));
  const got = hash.digest('hex');
  if (got !== sha256) {
    await rm(archive);
    throw new Error(`the download is not the one that was pinned: its SHA-256 is ${got}, expected ${sha256}`);
  }
  await promisify(execFile)('tar', ['-xzf', archive, '-C', folder, 'temporal']);
  await chmod(join(folder, 'temporal'), 0o755);
}
