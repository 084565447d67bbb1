import { expect, test } from '@jest/globals';
import { poll } from '../../test/setup/jest/poll.ts';
import { createTurnstile } from './turnstile.ts';

const here = new AbortController().signal;
const who = () => crypto.randomUUID();

test('runs at most its size at a time, in order, also after a failure', async () => {
  const pass = createTurnstile({ size: 2, maxWaiting: 4 });
  const done: number[] = [];
  let running = 0;
  let most = 0;
  const results = await Promise.allSettled(
    [0, 1, 2, 3, 4, 5].map((index) =>
      pass(who(), here, async () => {
        running++;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        done.push(index);
        if (index === 1) throw new Error('refused');
        return index;
      }),
    ),
  );
  expect(most).toBe(2);
  expect(done).toEqual([0, 1, 2, 3, 4, 5]);
  expect(results.filter((result) => result.status === 'rejected')).toHaveLength(1);
  await expect(pass(who(), here, async () => 'again')).resolves.toBe('again');
});

function works() {
  const begun: string[] = [];
  const ends: { name: string; end: () => void }[] = [];
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve) => void ends.push({ name, end: resolve }));
  };
  const endNext = (name?: string) => {
    const index = name === undefined ? 0 : ends.findIndex((one) => one.name === name);
    ends.splice(index, 1)[0]?.end();
  };
  return { begun, work, endNext };
}

test('refuses a caller while the line is full, and admits it later', async () => {
  const pass = createTurnstile({ size: 1, maxWaiting: 1 });
  const { begun, work, endNext } = works();
  const first = pass(who(), here, work('first'));
  const second = pass(who(), here, work('second'));
  await expect(pass(who(), here, work('third'))).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfter: 1 });
  endNext();
  await first;
  await poll(() => begun).toEqual(['first', 'second']);
  const fourth = pass(who(), here, work('fourth'));
  endNext();
  await second;
  await poll(() => begun).toEqual(['first', 'second', 'fourth']);
  endNext();
  await fourth;
});

test('skips a caller that has disconnected, and frees its place in the line', async () => {
  const pass = createTurnstile({ size: 1, maxWaiting: 1 });
  const { begun, work, endNext } = works();
  const first = pass(who(), here, work('first'));
  const gone = new AbortController();
  const second = pass(who(), gone.signal, work('second'));
  gone.abort();
  await expect(second).rejects.toThrow('closed the connection');
  await expect(pass(who(), AbortSignal.abort(), work('gone before'))).rejects.toThrow('closed the connection');
  const third = pass(who(), here, work('third'));
  endNext();
  await first;
  await poll(() => begun).toEqual(['first', 'third']);
  endNext();
  await third;
  gone.abort();
  await expect(pass(who(), here, async () => 'again')).resolves.toBe('again');
});

test('a flood of one caller leaves a place and the line to others, who are next', async () => {
  const pass = createTurnstile({ size: 2, maxWaiting: 50 });
  const { begun, work, endNext } = works();
  const flood = Array.from({ length: 60 }, (_, index) => pass('flood', here, work(`flood ${index}`)));
  const outcomes = Promise.allSettled(flood);
  const other = pass('other', here, work('other'));
  // One running, half of the line; the rest is refused.
  await poll(() => begun).toEqual(['flood 0', 'other']);
  const third = pass('third', here, work('third'));
  endNext('other');
  await poll(() => begun.at(-1)).toBe('third');
  const ends = setInterval(() => endNext(), 1);
  await Promise.all([other, third]);
  const settled = await outcomes;
  clearInterval(ends);
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(26);
});
