import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { promisify } from 'node:util';
import { median } from './load.ts';

export const PROCESS_NAMES = ['API and worker', 'bare', 'database', 'Temporal server'] as const;
export type ProcessName = (typeof PROCESS_NAMES)[number];
export type Processes = Partial<Record<ProcessName, number>>;

/** Returns the process ids of a stack and of the bare process, without parts outside the stack (DATABASE_URL). */
export async function findProcesses(stackPid: number, barePid: number): Promise<Processes> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args=']);
  const found: Processes = { 'API and worker': stackPid, bare: barePid };
  for (const line of stdout.split('\n')) {
    const [, pid, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    if (Number(parent) !== stackPid || args.startsWith('sh ')) continue;
    if (args.includes('pgliteServer')) found.database = Number(pid);
    else if (args.includes('server start-dev')) found['Temporal server'] = Number(pid);
  }
  return found;
}

export async function residentMib(processes: Processes): Promise<Partial<Record<ProcessName, number>>> {
  const entries = Object.entries(processes) as [ProcessName, number][];
  const sizes = entries.map(async ([name, pid]): Promise<[ProcessName, number]> => {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
    return [name, Number(stdout) / 1_024];
  });
  return Object.fromEntries(await Promise.all(sizes));
}

/** The unit of /proc: a hundredth of a second, on every Linux that Node runs on. */
const TICK_MS = 10;

/** Milliseconds. */
export type CpuMs = Partial<Record<ProcessName, number>>;

/** Returns each process's processor time so far; empty if the system has no /proc. */
export async function cpuMs(processes: Processes): Promise<CpuMs> {
  if (platform() !== 'linux') return {};
  const entries = Object.entries(processes) as [ProcessName, number][];
  const times = entries.map(async ([name, pid]): Promise<[ProcessName, number]> => {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may contain spaces; utime and stime are fields 14 and 15.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return [name, (Number(fields[11]) + Number(fields[12])) * TICK_MS];
  });
  return Object.fromEntries(await Promise.all(times));
}

export function cpuOfEach(before: CpuMs, after: CpuMs, count: number): CpuMs {
  const names = Object.keys(after) as ProcessName[];
  return Object.fromEntries(names.map((name) => [name, ((after[name] ?? 0) - (before[name] ?? 0)) / count]));
}

export function cpuMedians(rounds: CpuMs[]): CpuMs {
  const names = Object.keys(rounds[0] ?? {}) as ProcessName[];
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round[name] ?? 0))]));
}
