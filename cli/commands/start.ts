import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import type { Handler } from '../commandSpec.ts';
import { EXIT } from '../exitCode.ts';

/** Does the same as `npm start` from an installed package; data are in `./.perdure`. */
export const start: Handler = async ({ options }) => {
  const examples = options.texts('example').flatMap((name) => ['--example', name]);
  // npx, and scripts of package.json, run this process in a shell that does not forward signals.
  const bond = process.env.npm_command ? ['--end-with-parent'] : [];
  process.argv = [...process.argv.slice(0, 2), ...(options.isOff('examples') ? ['--no-examples'] : examples), ...bond];
  process.setSourceMapsEnabled(true);
  await import('../../embedded/main.ts');
  // It serves until it is stopped, and then ends the process itself.
  return new Promise<number>(() => undefined);
};

export const version: Handler = async ({ out }) => {
  const text = await readFile(join(PROJECT_ROOT, 'package.json'), 'utf8');
  const { name, version: number } = JSON.parse(text) as { name: string; version: string };
  out.value({ name, version: number, node: process.versions.node }, () => `${name} ${number}`);
  return EXIT.done;
};
