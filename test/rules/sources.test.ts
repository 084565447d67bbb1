import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { readOpenApi } from '../../api/openapi.ts';
import { servedDocument } from '../../api/servedDocument.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';

const run = promisify(execFile);

/** What a tool of the project complains about; empty when it is content. */
async function complaints(tool: string, args: string[]): Promise<string> {
  const command = join(PROJECT_ROOT, 'node_modules/.bin', tool);
  return run(command, args, { cwd: PROJECT_ROOT, maxBuffer: 50_000_000 }).then(
    () => '',
    (error: { stdout?: string; stderr?: string; message: string }) =>
      `${error.stdout ?? ''}${error.stderr ?? ''}` || error.message,
  );
}

test('the types hold, in the tests too', async () => {
  expect(await complaints('tsc', ['--noEmit', '-p', '.'])).toBe('');
});

test('format and lint rules hold', async () => {
  expect(await complaints('biome', ['ci', '--colors=off', '.'])).toBe('');
});

test('each room imports only what it may', async () => {
  expect(await complaints('depcruise', ['--config', '.dependency-cruiser.cjs', '--output-type', 'err', '.'])).toBe('');
});

test('redocly finds nothing in the document as it is served', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'perdure-openapi-')), 'openapi.json');
  await writeFile(file, JSON.stringify(servedDocument(readOpenApi(), 'https://automation.example')));
  try {
    expect(await complaints('redocly', ['lint', file, '--config', 'redocly.yaml'])).toBe('');
  } finally {
    await rm(dirname(file), { recursive: true });
  }
});
