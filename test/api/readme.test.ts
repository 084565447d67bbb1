import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { README } from '../../settingsTable.ts';
import { onTestFinished } from '../setup/onTestFinished.ts';
import { makeWorkspace } from '../setup/workspace.ts';

const run = promisify(execFile);

/** The commands of one section, in their order. */
function commandsOf(heading: string): string {
  const section =
    readFileSync(README, 'utf8')
      .split(/^## /m)
      .find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join('\n');
}

/** A folder as after `npm start`: with the credentials of this workspace. */
async function startedFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-readme-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { url, apiKey, projectId } = await makeWorkspace();
  mkdirSync(join(folder, '.perdure'));
  writeFileSync(join(folder, '.perdure/credentials.json'), JSON.stringify({ url, apiKey, projectId }));
  return folder;
}

test("the README's first workflow runs as it is written", async () => {
  const commands = commandsOf('A first workflow by hand');
  expect(commands.match(/curl/g)?.length).toBeGreaterThanOrEqual(4);
  const { stdout } = await run('sh', ['-euc', commands], { cwd: await startedFolder(), timeout: 30_000 });
  expect(stdout).toContain('"title":"Ada asks for 42.5"');
  expect(stdout).toContain('"accepted":true');
  const [last = ''] = stdout.trimEnd().split('\n').slice(-1);
  expect(JSON.parse(last)).toMatchObject({
    status: 'COMPLETED',
    output: { refund: 42.5, person: 'ADA' },
  });
});
