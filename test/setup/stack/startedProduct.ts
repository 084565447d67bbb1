import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FirstCredentials } from '../../../embedded/credentials.ts';
import { poll } from '../jest/poll.ts';
import { listeningPorts } from './listeningPorts.ts';

export interface StartedProduct {
  credentials: FirstCredentials;
  output(): string;
  readyMs: number;
  /** Returns TCP ports on which its processes listen, without those of the Temporal server. */
  listening(): number[];
  /** Sends SIGINT to the whole group, like a terminal. Returns the command's exit code when no process is left. */
  interrupt(): Promise<{ exitCode: number | null; tookMs: number }>;
}

interface Start {
  command: [string, ...string[]];
  folder: string;
  dataDir: string;
  environment: NodeJS.ProcessEnv;
}

/** Throws the output if it ends before it is ready. */
export async function startProduct({ command, folder, dataDir, environment }: Start): Promise<StartedProduct> {
  const startedAt = Date.now();
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: folder,
    detached: true,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const group = child.pid ?? 0;
  const ended = once(child, 'exit') as Promise<[number | null]>;
  let printed = '';
  await new Promise<void>((done, fail) => {
    const take = (text: Buffer) => {
      printed += text;
      if (printed.includes('Ctrl-C stops everything')) done();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('exit', (code) => fail(new Error(`${command.join(' ')} ended with ${code}:\n${printed}`)));
  });
  return {
    credentials: JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')) as FirstCredentials,
    output: () => printed,
    readyMs: Date.now() - startedAt,
    listening() {
      const ours = livingProcesses(group, dataDir).filter((line) => !line.includes('temporal server start-dev'));
      const ports = [...listeningPorts(ours.map((line) => Number.parseInt(line, 10))).values()];
      return ports.flat().sort((a, b) => a - b);
    },
    async interrupt() {
      const interruptedAt = Date.now();
      process.kill(-group, 'SIGINT');
      const [exitCode] = await ended;
      const tookMs = Date.now() - interruptedAt;
      await poll(() => livingProcesses(group, dataDir)).toEqual([]);
      return { exitCode, tookMs };
    },
  };
}

function livingProcesses(group: number, dataDir: string): string[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,pgid=,args=']).toString().split('\n');
  return lines.filter((line) => {
    const [, , ofGroup, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(ofGroup) === group || (args?.includes(dataDir) ?? false);
  });
}
