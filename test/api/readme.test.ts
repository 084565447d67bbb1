import { expect, test } from '@jest/globals';
import { commandsOf, printedBy } from '../setup/documentedCommands.ts';
import { README } from '../setup/readme.ts';
import { makeWorkspace } from '../setup/workspace.ts';

test("the README's first workflow runs as it is written", async () => {
  const commands = commandsOf(README, 'A first workflow by hand');
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
