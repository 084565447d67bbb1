import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../projectRoot.ts';
import { onTestFinished } from '../jest/onTestFinished.ts';

// Workers of examples/workers with their real SDKs. Packages come from the registries once, into the user's cache.

const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'perdure', 'workers');

export type Language = 'python' | 'typescript' | 'go';

interface Build {
  needs: string;
  lock: string;
  /** Makes the command in a folder that is a copy of the example. */
  make(folder: string): [command: string, ...args: string[]];
}

const run = (folder: string, command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });

const BUILDS: Record<Language, Build> = {
  python: {
    needs: 'python3',
    lock: 'requirements.txt',
    make(folder) {
      const python = join(folder, 'venv/bin/python');
      if (!existsSync(join(folder, 'installed'))) {
        run(folder, 'python3', '-m', 'venv', 'venv');
        run(folder, python, '-m', 'pip', 'install', '--quiet', '-r', 'requirements.txt');
        mkdirSync(join(folder, 'installed'));
      }
      return [python, 'worker.py'];
    },
  },
  typescript: {
    needs: 'npm',
    lock: 'package.json',
    make(folder) {
      if (!existsSync(join(folder, 'node_modules/.bin/tsx'))) run(folder, 'npm', 'install', '--no-audit', '--no-fund');
      return [join(folder, 'node_modules/.bin/tsx'), 'worker.ts'];
    },
  },
  go: {
    needs: 'go',
    lock: 'go.sum',
    make(folder) {
      run(folder, 'go', 'build', '-o', 'billing', '.');
      return [join(folder, 'billing')];
    },
  },
};

/** Returns the missing program; undefined if the language is here. */
export function missingFor(language: Language): string | undefined {
  const { needs } = BUILDS[language];
  try {
    execFileSync('sh', ['-c', `command -v ${needs}`], { stdio: 'ignore' });
    return undefined;
  } catch {
    return needs;
  }
}

export function exampleFolder(language: Language): string {
  return join(PROJECT_ROOT, 'examples/workers', language);
}

/** Starts the worker of an example; resolves when it polls. `kill` ends it with -9. */
export async function exampleWorker(language: Language, environment: Record<string, string>) {
  const { lock, make } = BUILDS[language];
  const source = exampleFolder(language);
  const digest = createHash('sha256')
    .update(readFileSync(join(source, lock)))
    .digest('hex')
    .slice(0, 12);
  const folder = join(CACHE, `${language}-${digest}`);
  mkdirSync(folder, { recursive: true });
  cpSync(source, folder, { recursive: true });
  const [command, ...args] = make(folder);
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, because tsx runs the worker in a child.
    detached: true,
  });
  const kill = () => ended(child);
  onTestFinished(kill);
  await new Promise<void>((polls, fail) => {
    child.stdout.on('data', (text: Buffer) => String(text).includes('polls') && polls());
    child.once('exit', (code) => fail(new Error(`The worker ended with ${code}`)));
  });
  return { kill };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  process.kill(-(child.pid as number), 'SIGKILL');
  await once(child, 'exit');
}
