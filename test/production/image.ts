import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '../../projectRoot.ts';

const run = promisify(execFile);

/** A stage of the Dockerfile, as pairs of instruction and rest, its FROM first: the one of that name, or the last. */
export function stageOf(name?: string): [string, string][] {
  const dockerfile = readFileSync(join(PROJECT_ROOT, 'Dockerfile'), 'utf8');
  const lines = dockerfile.replaceAll(/\\\n\s*/g, '').split('\n');
  const instructions = lines.flatMap((line): [string, string][] => {
    const [, instruction, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    return instruction && rest ? [[instruction, rest]] : [];
  });
  const from = instructions.findLastIndex(
    ([instruction, rest]) => instruction === 'FROM' && (name === undefined || rest.endsWith(` AS ${name}`)),
  );
  if (from === -1) throw new Error(`Dockerfile: no stage ${name}`);
  const next = instructions.findIndex(([instruction], index) => index > from && instruction === 'FROM');
  return instructions.slice(from, next === -1 ? undefined : next);
}

/** The default of an ARG of the Dockerfile. */
export function argumentOf(name: string): string | undefined {
  return new RegExp(`^ARG ${name}=(.+)$`, 'm').exec(readFileSync(join(PROJECT_ROOT, 'Dockerfile'), 'utf8'))?.[1];
}

export interface Image {
  /** Its working directory, laid out. */
  folder: string;
  environment: Record<string, string>;
}

/**
 * The result of `docker build`, without Docker: exactly the files that the final stage of the Dockerfile copies, with
 * the packages that its stage `packages` installs. So a file or a package that exists only in the source folder is
 * missing here too.
 */
export async function layOutImage(folder: string): Promise<Image> {
  const environment: Record<string, string> = {};
  for (const [instruction, rest] of stageOf()) {
    if (instruction === 'ENV') {
      for (const [, name, value] of rest.matchAll(/(\w+)=(\S+)/g)) environment[name as string] = value as string;
    }
    if (instruction !== 'COPY') continue;
    const [, stage, from, to] = /^--from=(\w+) \/app\/(\S+) (\S+)$/.exec(rest) ?? [];
    if (stage === 'packages') await installPackages(folder);
    else if (stage === 'build' && from && to) {
      mkdirSync(dirname(join(folder, to)), { recursive: true });
      cpSync(join(PROJECT_ROOT, from), join(folder, to), { recursive: true });
    } else throw new Error(`Dockerfile: COPY ${rest} is not understood here`);
  }
  return { folder, environment };
}

async function installPackages(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(PROJECT_ROOT, name), join(folder, name));
  const dockerfile = readFileSync(join(PROJECT_ROOT, 'Dockerfile'), 'utf8');
  const [, options] = /AS packages[\s\S]*?RUN npm (ci [^\n]*)/.exec(dockerfile) ?? [];
  if (!options) throw new Error('Dockerfile: no `npm ci` in the stage `packages`');
  await run('npm', [...options.split(' '), '--prefer-offline', '--loglevel=error'], { cwd: folder });
}
