import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ended, EXIT } from '../exitCode.ts';
import { fileProblemText } from '../fileProblems.ts';
import { bundleCode } from '../functions/bundleCode.ts';
import { describeBundle } from '../functions/describeBundle.ts';
import { guestModule } from '../functions/guestModule.ts';
import { installPackage, type PackageVersion } from './installPackage.ts';

export interface BundledPiece {
  code: string;
  /** The piece as its bundle describes it. */
  described: unknown;
}

/** Installs a piece of npm into a temporary folder, and bundles it. */
export async function pieceOfNpm(
  wanted: PackageVersion,
  signal: AbortSignal,
): Promise<BundledPiece & { version: string }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'perdure-piece-')));
  try {
    const version = await installPackage(folder, wanted, signal);
    return { version, ...(await bundledPiece(folder, wanted.name)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Bundles an installed piece with its packages. Exits with 4 if it is no piece. */
export async function bundledPiece(folder: string, name: string): Promise<BundledPiece> {
  const { code, problems } = await bundleCode({
    ...{ folder, file: name, hasSourceMap: false, allowsMissing: true },
    entry: `import { pieceGuest } from 'perdure/guest';
import * as own from '${name}';
export const { describe, run, options } = pieceGuest(own);`,
    modules: { 'perdure/guest': guestModule('pieceGuest') },
  });
  if (problems.length > 0) throw new Ended(EXIT.blocked, problems.map(fileProblemText).join('\n'));
  const described = await describeBundle(code, `${name}.js`).catch((error: Error) => {
    throw new Ended(EXIT.blocked, `${name} cannot be an app: ${error.message}`);
  });
  return { code, described };
}
