import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { takeExclusiveUse } from '../../embedded/exclusiveUse.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-sole-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('one has it, until it is given back', async () => {
  const folder = makeFolder();
  const release = await takeExclusiveUse(folder);
  expect(release).toBeDefined();
  expect(await takeExclusiveUse(folder)).toBeUndefined();
  expect(await takeExclusiveUse(`${folder}/../${folder.split('/').at(-1)}`)).toBeUndefined();
  const other = await takeExclusiveUse(join(folder, 'other'));
  expect(other).toBeDefined();
  other?.();
  release?.();
  const again = await takeExclusiveUse(folder);
  expect(again).toBeDefined();
  again?.();
});

test('another process has it until it is killed', async () => {
  const folder = makeFolder();
  const script = join(folder, 'holder.mjs');
  const module = join(PROJECT_ROOT, 'dist/embedded/exclusiveUse.js');
  writeFileSync(
    script,
    `import { takeExclusiveUse } from ${JSON.stringify(module)};
     console.log((await takeExclusiveUse(${JSON.stringify(folder)})) !== undefined);
     setInterval(() => {}, 1000);`,
  );
  const holder = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = (await once(holder.stdout, 'data')) as [Buffer];
  expect(printed.toString().trim()).toBe('true');
  expect(await takeExclusiveUse(folder)).toBeUndefined();
  const ended = once(holder, 'exit');
  holder.kill('SIGKILL');
  await ended;
  const release = await takeExclusiveUse(folder);
  expect(release).toBeDefined();
  release?.();
});
