import { spawnWatched } from './childProcess.ts';

const KEPT_COMPLAINTS = 2_000;

/** Runs a command that ends with us; kills it after `timeoutMs`. Throws its last output, or that it is missing. */
export async function runWatched(
  command: string,
  args: string[],
  { environment, timeoutMs }: { environment: NodeJS.ProcessEnv; timeoutMs?: number },
): Promise<void> {
  await new Promise<void>((done, fail) => {
    const child = spawnWatched(command, args, { env: environment, output: 'pipe' });
    const late = () => {
      child.kill('SIGKILL');
      fail(new Error(`it was not done after ${(timeoutMs ?? 0) / 1_000} s`));
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs);
    let complaints = '';
    child.stderr?.on('data', (text) => {
      complaints = `${complaints}${text}`.slice(-KEPT_COMPLAINTS);
    });
    child.stdout?.resume();
    child.once('error', fail);
    child.once('close', (code) => {
      clearTimeout(timer);
      if (code === 0) done();
      else fail(new Error(complaints.trim() || `exit code ${code}`));
    });
  });
}
