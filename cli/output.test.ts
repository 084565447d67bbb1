import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { cut, Output, printable, printableLines } from './output.ts';

test('a text of others moves no cursor, sets no title, and does not reverse letters', () => {
  const wrote = 'a\u001b[2Jb\u009b1mc\r\nd\u202egnp';
  expect(printable(wrote)).toBe('a [2Jb 1mc d gnp');
  expect(printableLines('an answer\u001b]0;title\u0007\n\tof two lines')).toBe('an answer]0;title\n\tof two lines');
});

test('cuts a text by the columns that it takes', () => {
  expect(cut('short')).toBe('short');
  expect(cut('日本語日本語', 6)).toBe('日本…');
  expect(cut('x'.repeat(90))).toBe(`${'x'.repeat(79)}…`);
});

test('aligns columns of a table, whatever letters they contain', () => {
  const rows = [{ name: '日本語' }, { name: 'é' }, { name: 'plain' }];
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const out = new Output('people', { isQuiet: false, hasColor: false }, { stdout, stderr });
  out.rows(
    rows,
    [
      ['NAME', ({ name }) => name],
      ['X', () => '|'],
    ],
    'none',
  );
  expect(String(stdout.read())).toBe('NAME    X\n日本語  |\né       |\nplain   |\n');
});
