import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { commandsOf, printedBy } from '../setup/documents/documentedCommands.ts';
import { README } from '../setup/documents/readme.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

const WEBHOOKS = join(PROJECT_ROOT, 'docs/webhooks.md');

/** A PATH on which `perdure` is the compiled command. */
function withPerdure(): string {
  const bin = mkdtempSync(join(tmpdir(), 'perdure-bin-'));
  onTestFinished(() => rmSync(bin, { recursive: true }));
  const command = join(PROJECT_ROOT, 'dist/cli/main.js');
  writeFileSync(join(bin, 'perdure'), `#!/bin/sh\nexec '${process.execPath}' '${command}' "$@"\n`, { mode: 0o755 });
  return `${bin}${delimiter}${process.env.PATH}`;
}

test("the README's first workflow runs as it is written, by the command line", async () => {
  const commands = commandsOf(README, 'A first workflow');
  const stdout = await printedBy(commands, await makeWorkspace(), { PATH: withPerdure() });
  expect(stdout).toContain('1 file is valid.');
  expect(stdout).toContain('Ada asks for 42.5');
  const [last = ''] = stdout.trimEnd().split('\n').slice(-1);
  expect(JSON.parse(last)).toMatchObject({ status: 'COMPLETED', output: { refund: 42.5, person: 'ADA' } });
});

test('docs/webhooks.md continues in the folder, and the shell, in which the README ends', async () => {
  const commands = `${commandsOf(README, 'A first workflow')}\n${commandsOf(WEBHOOKS, 'Try it with curl')}`;
  const stdout = await printedBy(commands, await makeWorkspace(), { PATH: withPerdure() });
  const [last = ''] = stdout.trimEnd().split('\n').slice(-1);
  expect(JSON.parse(last)).toMatchObject({ status: 'COMPLETED', output: { refund: 42.5, person: 'ADA' } });
});

test('docs/webhooks.md: a workflow that starts by a webhook, as it is written', async () => {
  const commands = commandsOf(WEBHOOKS, 'Try it with curl');
  expect(commands.match(/curl/g)?.length).toBeGreaterThanOrEqual(4);
  const stdout = await printedBy(commands, await makeWorkspace());
  expect(stdout).toContain('"title":"Ada asks for 42.5"');
  expect(stdout).toContain('"accepted":true');
  const [last = ''] = stdout.trimEnd().split('\n').slice(-1);
  expect(JSON.parse(last)).toMatchObject({
    status: 'COMPLETED',
    output: { refund: 42.5, person: 'ADA' },
  });
});
