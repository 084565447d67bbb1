import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '../../projectRoot.ts';

const run = promisify(execFile);

/** Prints only errors, and downloads only packages that are missing here. */
const NPM = { npm_config_prefer_offline: 'true', npm_config_loglevel: 'error' };

/** Pairs of instruction and rest, FROM first; the last stage without a name. */
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

export function argumentOf(name: string): string | undefined {
  return new RegExp(`^ARG ${name}=(.+)$`, 'm').exec(readFileSync(join(PROJECT_ROOT, 'Dockerfile'), 'utf8'))?.[1];
}

export interface Image {
  /** The working directory of the image. */
  folder: string;
  environment: Record<string, string>;
}

/**
 * The result of `docker build` without Docker: exactly the files that the final stage of the Dockerfile copies, and the
 * packages of its stage `packages`. A file or package outside of these is missing here, too.
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

/** Runs the stage `packages` of the Dockerfile: its copies, then its commands in order. */
async function installPackages(folder: string): Promise<void> {
  for (const [instruction, rest] of stageOf('packages')) {
    if (instruction === 'COPY') {
      const words = rest.split(' ');
      const to = join(folder, words.at(-1) as string);
      mkdirSync(to, { recursive: true });
      for (const path of words.slice(0, -1)) cpSync(join(PROJECT_ROOT, path), join(to, basename(path)));
    }
    if (instruction === 'RUN') await run('sh', ['-ec', rest], { cwd: folder, env: { ...process.env, ...NPM } });
  }
}
