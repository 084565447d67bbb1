import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from '../jest/onTestFinished.ts';

const run = promisify(execFile);

export function commandsOf(page: string, heading: string): string {
  const section =
    readFileSync(page, 'utf8')
      .split(/^## /m)
      .find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join('\n');
}

/** Returns the output of commands in a folder of a running `npm start`. Throws if one of them fails. */
export async function printedBy(
  commands: string,
  { url, apiKey, projectId }: { url: string; apiKey: string; projectId: string },
  environment: Record<string, string> = {},
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-documented-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, '.perdure'));
  writeFileSync(join(folder, '.perdure/credentials.json'), JSON.stringify({ url, apiKey, projectId }));
  const { stdout } = await run('sh', ['-euc', commands], {
    cwd: folder,
    timeout: 45_000,
    env: { ...process.env, ...environment },
  });
  return stdout;
}

export function answersOf(printed: string) {
  return printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
