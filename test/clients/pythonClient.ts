import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pythonWith } from './pythonEnvironment.ts';

const run = promisify(execFile);

const GENERATOR = 'openapi-python-client==0.29.1';

/** Returns the generator's output. */
export async function generatePythonClient(document: string, folder: string): Promise<string> {
  const python = await pythonWith(GENERATOR);
  const target = ['--output-path', join(folder, 'perdure_client'), '--meta', 'none', '--overwrite'];
  const { stdout } = await run(
    python,
    ['-m', 'openapi_python_client', 'generate', '--path', document, ...target, '--config', NO_FORMATTER],
    { maxBuffer: 10_000_000 },
  );
  return stdout;
}

/** Avoids ruff, which would have to be on the PATH. */
const NO_FORMATTER = join(import.meta.dirname, 'pythonClient.yaml');

/** Returns the lines that the program prints. */
export async function runPython(program: string, folder: string, args: string[], input: string): Promise<string[]> {
  const python = await pythonWith(GENERATOR);
  const running = run(python, [join(import.meta.dirname, program), ...args], {
    env: { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' },
    timeout: 60_000,
  });
  running.child.stdin?.end(input);
  return (await running).stdout.trimEnd().split('\n');
}
