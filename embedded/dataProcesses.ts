import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Pids of the two data processes; undefined while one restarts or if the server is external. */
export interface DataProcesses {
  database: number | undefined;
  temporal: number | undefined;
}

/** Finds the children of an `npm start` by their role, because the supervisor may have restarted them. */
export async function childrenOf(main: number): Promise<DataProcesses> {
  const { stdout } = await run('ps', ['-eo', 'pid=,ppid=,args='], { maxBuffer: 10_000_000 });
  const children = stdout.split('\n').flatMap((line) => {
    const [, pid, parent, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(parent) === main ? [{ pid: Number(pid), args: args ?? '' }] : [];
  });
  const find = (mark: string) => children.find(({ args }) => args.includes(mark) && !args.startsWith('sh '))?.pid;
  return { database: find('embedded/pgliteServer.js'), temporal: find('server start-dev') };
}
