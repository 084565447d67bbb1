import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { promisify } from 'node:util';

const KIBIBYTE = 1_024;
/** Linux reports processor time in hundredths of a second on all machines that Node supports. */
const TICK_MS = 10;

export interface ProcessUsage {
  rssBytes: number;
  cpuMs: number;
}

/** Asks the kernel, never the process itself. Returns undefined if the process has ended. */
export async function processUsage(pid: number): Promise<ProcessUsage | undefined> {
  try {
    return platform() === 'linux' ? await ofProc(pid) : await ofPs(pid);
  } catch {
    return undefined;
  }
}

async function ofProc(pid: number): Promise<ProcessUsage | undefined> {
  const [status, stat] = await Promise.all(['status', 'stat'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8')));
  const kilobytes = /^VmRSS:\s*(\d+) kB/m.exec(status ?? '')?.[1];
  if (kilobytes === undefined) return undefined;
  // The name before the last parenthesis may contain anything.
  const fields = (stat ?? '').slice((stat ?? '').lastIndexOf(')') + 2).split(' ');
  return { rssBytes: Number(kilobytes) * KIBIBYTE, cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS };
}

async function ofPs(pid: number): Promise<ProcessUsage | undefined> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=,time=', '-p', String(pid)]);
  const [rss = '', time = ''] = stdout.trim().split(/\s+/);
  const seconds = time.split(/[:-]/).reduce((sum, part) => sum * 60 + Number(part), 0);
  return rss === '' ? undefined : { rssBytes: Number(rss) * KIBIBYTE, cpuMs: seconds * 1_000 };
}
