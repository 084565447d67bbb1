// test: long
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

/** The errors that a tool of the project reports; empty if there are none. */
async function complaints(tool: string, args: string[]): Promise<string> {
  const command = join(PROJECT_ROOT, 'node_modules/.bin', tool);
  return run(command, args, { cwd: PROJECT_ROOT, maxBuffer: 50_000_000 }).then(
    () => '',
    (error: { stdout?: string; stderr?: string; message: string }) =>
      `${error.stdout ?? ''}${error.stderr ?? ''}` || error.message,
  );
}

// Parallel, because each waits for a process.
test.concurrent('types check, in tests, too', async () => {
  expect(await complaints('tsc', ['--noEmit', '-p', '.'])).toBe('');
});

test.concurrent('sources follow format and lint rules', async () => {
  expect(await complaints('biome', ['ci', '--colors=off', '.'])).toBe('');
});

test.concurrent('each room imports only permitted ones', async () => {
  expect(await complaints('depcruise', ['--config', '.dependency-cruiser.cjs', '--output-type', 'err', '.'])).toBe('');
});

/** Passes the served document as a file in a temporary folder. */
async function withServed(work: (file: string) => Promise<void>): Promise<void> {
  const file = join(await mkdtemp(join(tmpdir(), 'perdure-openapi-')), 'openapi.json');
  await writeFile(file, JSON.stringify(servedDocument(readOpenApi(), 'https://automation.example')));
  try {
    await work(file);
  } finally {
    await rm(dirname(file), { recursive: true });
  }
}

test.concurrent('redocly reports nothing for the served document', () =>
  withServed(async (file) => {
    expect(await complaints('redocly', ['lint', file, '--config', 'redocly.yaml'])).toBe('');
  }));

const QUERIES = `
import type { components, paths } from './served.d.ts';
type Query = NonNullable<paths['/api/executions']['get']['parameters']['query']>;
const key: components['schemas']['ExecutionFilterKey'] = 'status';
export const good: Query = { expansion: ['status', 'output'], filterBy: [\`\${key}:FAILED\`], includeType: ['internal'] };
// @ts-expect-error
export const field: Query = { expansion: ['nothing'] };
// @ts-expect-error
export const flag: Query = { includeType: ['some'] };
// @ts-expect-error
export const other: components['schemas']['ExecutionFilterKey'] = 'other';
`;

test.concurrent('types generated from the served document contain the names of fields, filters and flags', () =>
  withServed(async (file) => {
    expect(await complaints('openapi-typescript', [file, '-o', join(dirname(file), 'served.d.ts')])).toBe('');
    const program = join(dirname(file), 'queries.ts');
    await writeFile(program, QUERIES);
    // Checks only the program's files: the default libraries alone take seconds.
    const few = ['--skipLibCheck', '--lib', 'es2022', '--types', 'node'];
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--allowImportingTsExtensions', ...few, program];
    expect(await complaints('tsc', options)).toBe('');
  }));
