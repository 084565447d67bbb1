import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ITEM_MOVES, isFinal, movesTo } from './itemMoves.ts';
import { ITEM_STATUSES, isItemStatus } from './itemStatus.ts';

const status = fc.constantFrom(...ITEM_STATUSES);

test('the table in the comment is the table in the code', () => {
  const text = readFileSync(new URL('./itemMoves.ts', import.meta.url), 'utf8');
  const heads = (/to {2}(PENDING.*)$/m.exec(text)?.[1] ?? '').split(/ +/);
  expect(heads).toEqual(['PENDING', 'PROCESSING', 'RETRYING', 'COMPLETED', 'FAILED', 'CANCELLED']);
  for (const from of ITEM_STATUSES) {
    const marks = (new RegExp(`^ \\*.* ${from} +([·●○].*)$`, 'm').exec(text)?.[1] ?? '').split(/ +/);
    const drawn = heads.filter((_, index) => marks[index] === '●' || marks[index] === '○');
    expect([from, drawn.sort()]).toEqual([from, [...ITEM_MOVES[from]].sort()]);
  }
});

test('moves to a status follow the table; none leads to the current status', () => {
  fc.assert(
    fc.property(status, status, (from, to) => {
      expect(movesTo(to).includes(from)).toBe(ITEM_MOVES[from].includes(to));
      if (from === to) expect(ITEM_MOVES[from]).not.toContain(to);
      if (isFinal(from)) expect(movesTo(to)).not.toContain(from);
    }),
  );
});

test('after any moves a finally ended item stays so, and every other can still end', () => {
  fc.assert(
    fc.property(fc.array(status, { maxLength: 30 }), (asked) => {
      let now: (typeof ITEM_STATUSES)[number] = 'PENDING';
      for (const to of asked) {
        const before = now;
        if (ITEM_MOVES[now].includes(to)) now = to;
        if (before === 'COMPLETED' || before === 'CANCELLED') expect(now).toBe(before);
      }
      if (!isFinal(now)) expect(ITEM_MOVES[now]).toContain('CANCELLED');
    }),
  );
});

test('statuses are identified only by their names', () => {
  expect(['PENDING', 'pending', '', 'toString'].filter(isItemStatus)).toEqual(['PENDING']);
});
