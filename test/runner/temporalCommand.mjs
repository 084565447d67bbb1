import { importSource } from './importSource.mjs';

/** Downloads or builds a missing Temporal server, which takes longer than a test may wait. */
export async function temporalCommand() {
  const { findTemporal } = await importSource('embedded/temporalBinary.ts');
  await findTemporal(process.env, (line) => process.stderr.write(`perdure  ${line}\n`));
}
