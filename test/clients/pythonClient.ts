import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const GENERATOR = 'openapi-python-client==0.29.1';
const FOLDER = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'perdure', GENERATOR.replace('==', '-'));

/** Why no Python client can be generated here; undefined where one can. */
export const NO_PYTHON = whyNot();

function whyNot(): string | undefined {
  try {
    // The generator and its clients need 3.11.
    execFileSync('python3', ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 11))'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'no Python 3.11 with venv here: the generated Python client is not tried';
  }
}

/** The folder of a Python environment with the generator, made once for this machine (some 30 MB by pip). */
async function environment(): Promise<string> {
  if (existsSync(FOLDER)) return FOLDER;
  mkdirSync(dirname(FOLDER), { recursive: true });
  const fresh = mkdtempSync(`${FOLDER}-new-`);
  await run('python3', ['-m', 'venv', fresh]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', GENERATOR];
  await run(join(fresh, 'bin/python'), pip);
  // Its scripts name their folder: they are called through `python -m` only, so that it can be moved when it is whole.
  try {
    renameSync(fresh, FOLDER);
  } catch (error) {
    // Another process was first.
    rmSync(fresh, { recursive: true });
    if (!existsSync(FOLDER)) throw error;
  }
  return FOLDER;
}

/** Generates the package `perdure_client` in `folder`. Resolves with what the generator said. */
export async function generatePythonClient(document: string, folder: string): Promise<string> {
  const venv = await environment();
  const target = ['--output-path', join(folder, 'perdure_client'), '--meta', 'none', '--overwrite'];
  const { stdout } = await run(
    join(venv, 'bin/python'),
    ['-m', 'openapi_python_client', 'generate', '--path', document, ...target, '--config', NO_FORMATTER],
    { maxBuffer: 10_000_000 },
  );
  return stdout;
}

/** Ruff would have to be in PATH. */
const NO_FORMATTER = join(import.meta.dirname, 'pythonClient.yaml');

/** Runs a program of this folder that uses the package in `folder`. Resolves with its lines. */
export async function runPython(program: string, folder: string, args: string[], input: string): Promise<string[]> {
  const venv = await environment();
  const running = run(join(venv, 'bin/python'), [join(import.meta.dirname, program), ...args], {
    env: { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' },
    timeout: 60_000,
  });
  running.child.stdin?.end(input);
  return (await running).stdout.trimEnd().split('\n');
}
