import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PROJECT_ROOT } from '../../../projectRoot.ts';
import { onTestFinished } from '../jest/onTestFinished.ts';

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Returns a folder that is deleted after the test, and the compiled command in it, without the user's settings. */
export function commandFolder(environment: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-folder-'));
  onTestFinished(async () => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
    write(files: Record<string, string>) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
    },
    perdure(words: string[], more: Record<string, string> = {}): Promise<Ran> {
      const env = { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: folder, ...environment, ...more };
      const command = [join(PROJECT_ROOT, 'dist/cli/main.js'), ...words];
      return new Promise((done) => {
        const child = execFile(process.execPath, command, { cwd: folder, env }, (error, stdout, stderr) =>
          done({ code: error ? Number(error.code) : 0, stdout, stderr }),
        );
        child.stdin?.end();
      });
    },
  };
}
