import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createLog } from '../../process/log.ts';
import { EngineAway } from '../engineAway.ts';
import type { Duty } from './duty.ts';
import { Reconciler } from './reconciler.ts';

const log = createLog('silent');

/** A duty that counts its runs; `run(n)` is the n-th. */
function counted(intervalMs: number, run: (count: number) => Promise<void> = async () => undefined) {
  const reached = new Map<number, () => void>();
  let count = 0;
  const duty: Duty = {
    name: 'counted',
    intervalMs,
    run() {
      count += 1;
      reached.get(count)?.();
      return run(count);
    },
  };
  return { duty, runs: () => count, until: (n: number) => new Promise<void>((go) => reached.set(n, go)) };
}

test('a duty that hangs or fails does not delay the others', async () => {
  let goOn = () => {};
  const hangs = counted(
    1,
    () =>
      new Promise((go) => {
        goOn = go;
      }),
  );
  const fails = counted(1, async () => {
    throw new EngineAway(new Error('x'));
  });
  const works = counted(1);
  const [thrice, again] = [works.until(3), fails.until(3)];
  const reconciler = new Reconciler([hangs.duty, fails.duty, works.duty], log);
  await Promise.all([thrice, again]);
  expect(hangs.runs()).toBe(1);
  const stopped = reconciler.stop();
  goOn();
  await stopped;
});

test('each has a pause of its own, and a stop ends it', async () => {
  const [seldom, often] = [counted(3_600_000), counted(1)];
  const fifth = often.until(5);
  const reconciler = new Reconciler([seldom.duty, often.duty], log);
  await fifth;
  expect(seldom.runs()).toBe(1);
  await reconciler.stop();
  const before = often.runs();
  await new Promise((go) => setImmediate(go));
  expect(often.runs()).toBe(before);
});

test('an absence is said once by each', async () => {
  const said = new PassThrough();
  let lines = '';
  said.on('data', (text) => {
    lines += text;
  });
  const away = () =>
    counted(1, async () => {
      throw new EngineAway(new Error('x'));
    });
  const [one, other] = [away(), away()];
  const [oneAgain, otherAgain] = [one.until(4), other.until(4)];
  const reconciler = new Reconciler([one.duty, other.duty], pino(said));
  await Promise.all([oneAgain, otherAgain]);
  await reconciler.stop();
  expect(lines.trim().split('\n')).toHaveLength(2);
});
