import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from './inject.ts';

export interface LogLine {
  msg: string;
  [member: string]: unknown;
}

/** Returns the log lines of the stack's processes with this text, without a last line that may be incomplete. */
export async function stackLog(text: string): Promise<LogLine[]> {
  const folder = join(inject('stack').dataDir, 'logs');
  const names = (await readdir(folder)).filter((name) => /^(perdure|api-\d|worker-\d)\.log$/.test(name));
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return files.flatMap((file) =>
    file
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.includes(text))
      .map((line) => JSON.parse(line) as LogLine),
  );
}
