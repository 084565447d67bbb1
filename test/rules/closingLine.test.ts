import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perdure-reports-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const passed = (name: string) => ({ room: 'unit', file: 'a.test.ts', name, status: 'passed', ms: 1 });
const failed = (name: string) => ({ ...passed(name), status: 'failed', error: `${name} is wrong` });
const flaky = (name: string) => ({ ...passed(name), flaky: true, error: `${name} was wrong` });

/** The closing lines of .ci/run for these reports; an absent `second` means no report. */
function close(first: object[], second?: object[]): { exitCode: number; lines: string[] } {
  writeFileSync(join(folder, 'first.json'), JSON.stringify(first));
  if (second) writeFileSync(join(folder, 'second.json'), JSON.stringify(second));
  const args = [join(PROJECT_ROOT, 'test/runner/closeReports.mjs'), folder, 'first', 'second'];
  try {
    const printed = execFileSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    return { exitCode: 0, lines: `${printed}`.trim().split('\n') };
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: Buffer };
    return { exitCode: status, lines: `${stdout}`.trim().split('\n') };
  }
}

test('the closing line comes last and counts all reports', () => {
  expect(close([passed('a'), passed('b')], [passed('a')])).toEqual({ exitCode: 0, lines: ['3 passed, 0 failed'] });
  const skipped = { ...passed('c'), status: 'skipped' };
  const { exitCode, lines } = close([passed('a'), skipped], [failed('b')]);
  expect({ exitCode, last: lines.at(-1) }).toEqual({ exitCode: 1, last: '1 passed, 1 failed' });
  expect(lines).toContain('FAILED in second unit: a.test.ts: b');
  expect(lines).toContain('b is wrong');
});

test('a flaky test is listed with its first error, and passes', () => {
  const { exitCode, lines } = close([passed('a'), flaky('b')], [passed('a')]);
  expect(exitCode).toBe(0);
  expect(lines).toEqual(['FLAKY in first unit: a.test.ts: b', 'b was wrong', '3 passed, 0 failed']);
});

test('more than three flaky tests fail the run', () => {
  const few = ['a', 'b'].map(flaky);
  expect(close(few, [flaky('c')])).toMatchObject({ exitCode: 0 });
  const { exitCode, lines } = close(few, ['c', 'd'].map(flaky));
  expect({ exitCode, last: lines.at(-1) }).toEqual({ exitCode: 1, last: '0 passed, 4 failed' });
});

test('a run that came to no report is a failure, and so is one without a test', () => {
  expect(close([passed('a')])).toMatchObject({ exitCode: 1 });
  expect(close([passed('a')]).lines.at(-1)).toBe('1 passed, 1 failed');
  expect(close([], [])).toEqual({ exitCode: 1, lines: ['0 passed, 0 failed'] });
});

test('a run names the files that it left out, before its closing line', () => {
  const program = `
    import { closing } from '${join(PROJECT_ROOT, 'test/runner/closing.mjs')}';
    console.log(JSON.stringify(closing(${JSON.stringify([passed('a')])}, ['test/kills/x.test.ts', 'test/kills/y.test.ts']).lines));`;
  const lines = JSON.parse(`${execFileSync(process.execPath, ['--input-type=module', '-e', program])}`);
  expect(lines).toEqual([
    'Left out are 2 long files; `npm test -- --all` runs them too: test/kills/x.test.ts, test/kills/y.test.ts',
    '1 passed, 0 failed',
  ]);
});
