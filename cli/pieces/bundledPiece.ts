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
  version: string;
  code: string;
  /** The piece as its bundle describes it. */
  described: unknown;
}

/** Installs a piece into a temporary folder and bundles it with its packages. */
export async function bundledPiece(wanted: PackageVersion, signal: AbortSignal): Promise<BundledPiece> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'perdure-piece-')));
  const { name } = wanted;
  try {
    const version = await installPackage(folder, wanted, signal);
    const { code, problems } = await bundleCode({
      ...{ folder, file: name, hasSourceMap: false, allowsMissing: true },
      entry: `import { pieceGuest } from 'perdure/guest';
import * as own from '${name}';
export const { describe, run, options } = pieceGuest(own);`,
      modules: { 'perdure/guest': guestModule('pieceGuest') },
    });
    if (problems.length > 0) throw new Ended(EXIT.blocked, problems.map(fileProblemText).join('\n'));
    const described = await describeBundle(code, `${name}.js`).catch((error: Error) => {
      throw new Ended(EXIT.blocked, `${name}@${version} cannot be an app: ${error.message}`);
    });
    return { version, code, described };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
