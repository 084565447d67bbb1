import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const MAX_MS = 10_000;
const LOOK_MS = 5;

/** Resumes the processes when we end in any way: the shell reads a pipe whose other end we hold. */
const WATCHED = 'read -r line; kill -s CONT "$@"';

/** SIGSTOP: their files are then as after a kill, without data that was only in memory. Throws if one does not stop. */
export async function whilePaused<T>(pids: readonly number[], work: () => Promise<T>): Promise<T> {
  const watcher = spawn('sh', ['-c', WATCHED, 'sh', ...pids.map(String)], {
    // Its own process group: Ctrl-C reaches only us.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  await once(watcher, 'spawn');
  watcher.stdin.on('error', () => undefined);
  try {
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    const deadline = Date.now() + MAX_MS;
    while (!(await haveStopped(pids))) {
      if (Date.now() > deadline) throw new Error(`not still after ${MAX_MS} ms: the processes ${pids.join(', ')}`);
      await sleep(LOOK_MS);
    }
    return await work();
  } finally {
    for (const pid of pids) resume(pid);
    watcher.stdin.end('they went on\n');
  }
}

function resume(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Checks all threads: a thread stops only after its current write. */
async function haveStopped(pids: readonly number[]): Promise<boolean> {
  if (pids.every((pid) => existsSync(`/proc/${pid}/task`)))
    return pids.every((pid) => threadStates(pid).every(isStopped));
  const { stdout } = await promisify(execFile)('ps', ['-o', 'state=', '-p', pids.join(',')]);
  const states = stdout.trim().split('\n');
  return states.length === pids.length && states.every((state) => isStopped(state.trim()));
}

const isStopped = (state: string) => state.startsWith('T');

function threadStates(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    const text = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    // The command's name before it may contain spaces and parentheses.
    return text.slice(text.lastIndexOf(')') + 2);
  });
}
