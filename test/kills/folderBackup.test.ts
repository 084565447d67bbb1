// test: long
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { poll } from '../setup/jest/poll.ts';
import { type Stack, startStack } from '../setup/stack/ownStack.ts';
import { action, chain, manual, question } from '../setup/workspace/graph.ts';
import { type Home, homeOn, stepOf } from '../setup/workspace/home.ts';

const folder = mkdtempSync(join(tmpdir(), 'perdure-folder-'));
let stack: Stack;
let home: Home;

interface Run {
  exitCode: number;
  stdout: string;
  stderr: string;
}

function save(dataDir: string, ...args: string[]): Promise<Run> {
  const env = { ...process.env, DATABASE_URL: '', ENCRYPTION_KEY: '', PERDURE_DATA_DIR: dataDir };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(PROJECT_ROOT, 'dist/embedded/backupMain.js'), ...args],
      { env },
      (error, stdout, stderr) =>
        resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

const asking = {
  trigger: manual(),
  nodes: [question('ask'), action('after', 'core.transform', { value: '{{ steps.ask.output.answer }}' })],
  edges: chain('ask', 'after'),
};

beforeAll(async () => {
  stack = await startStack({ environment: { DATABASE_URL: '' } });
  home = homeOn(stack);
});
afterAll(async () => {
  await stack?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

test('backups of a running and of a killed start continue in another folder: questions, waits and ended executions', async () => {
  const startedAt = Date.now();
  const asks = await home.deploy(asking);
  const waits = await home.deploy({ trigger: manual(), nodes: [action('wait', 'testing.wait', { ms: 8_000 })] });
  const asked = await Promise.all(Array.from({ length: 5 }, () => home.execute(asks)));
  await Promise.all(asked.map((id) => home.asked(id, 'ask')));
  const ended = await home.execute(
    await home.deploy({ trigger: manual(), nodes: [action('a', 'core.transform', { value: 1 })] }),
  );
  await home.ended(ended);
  const waiting = await home.execute(waits);
  await home.until(waiting, ({ executionPath }) => executionPath?.length === 1);
  // A backup under load, where clients only notice a pause.
  const running = join(folder, 'running');
  const accepted: string[] = [];
  let isSaved = false;
  const load = [1, 2, 3].map(async () => {
    while (!isSaved) accepted.push(await home.execute(asks));
  });
  await poll(() => accepted.length, { timeout: 30_000 }).toBeGreaterThan(2);
  const before = [...accepted];
  const taken = await save(stack.dataDir, 'backup', '--to', running);
  isSaved = true;
  await Promise.all(load);
  expect(taken).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('paused for') });
  const here = accepted.at(-1) as string;
  await home.asked(here, 'ask');
  expect((await home.submit(here, 'ask', { answer: here })).status).toBe(200);
  expect((await home.ended(here)).status).toBe('COMPLETED');

  await stack.killMain();
  const saved = join(folder, 'saved');
  const made = await save(stack.dataDir, 'backup', '--to', saved);
  expect(made).toMatchObject({ exitCode: 0 });
  expect(readdirSync(saved)).toEqual(
    expect.arrayContaining(['manifest.json', 'postgres', 'secrets.json', 'temporal.db']),
  );
  expect(statSync(join(saved, 'temporal.db')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(saved, 'manifest.json'), 'utf8')).not.toContain(
    JSON.parse(readFileSync(join(saved, 'secrets.json'), 'utf8')).ENCRYPTION_KEY.split(':')[1],
  );
  expect(await save(stack.dataDir, 'restore', '--from', saved)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('is not empty'),
  });

  const ofKilled = await save(join(folder, 'killed'), 'restore', '--from', saved);
  expect(ofKilled).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(ofKilled.stdout).mayRepeat.executionsGoOn.count).toBeGreaterThanOrEqual(5 + before.length);

  const dataDir = join(folder, 'restored');
  const restored = await save(dataDir, 'restore', '--from', running);
  expect(restored).toMatchObject({ exitCode: 0 });
  const { mayRepeat } = JSON.parse(restored.stdout);
  expect(mayRepeat.executionsGoOn.count).toBeGreaterThanOrEqual(6 + before.length);
  expect(mayRepeat.stepsOnTheirWay.first).toContainEqual(
    expect.objectContaining({ executionId: waiting, nodeId: 'wait' }),
  );

  const again = await startStack({ environment: {}, dataDir });
  onTestFinished(() => again.dispose());
  const there = homeOn(again);
  const kept = [...asked, ...before];
  for (const id of before) await there.asked(id, 'ask');
  for (const id of kept) expect((await there.submit(id, 'ask', { answer: id })).status).toBe(200);
  for (const id of kept) expect(stepOf(await there.ended(id), 'after').output).toBe(id);
  expect((await there.ended(waiting)).status).toBe('COMPLETED');
  expect((await there.read(ended)).status).toBe('COMPLETED');
  console.log(`saved, restored and ended in ${Math.round((Date.now() - startedAt) / 1_000)} s`);
}, 300_000);

test('a damaged backup leaves no folder that a start would take', async () => {
  const saved = join(folder, 'saved');
  const file = join(saved, 'postgres/PG_VERSION');
  const text = readFileSync(file);
  writeFileSync(file, `${text}x`);
  const dataDir = join(folder, 'damaged');
  expect(await save(dataDir, 'restore', '--from', saved)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('postgres/PG_VERSION'),
  });
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
});
