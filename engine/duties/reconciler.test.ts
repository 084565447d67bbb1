import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { DueCondition } from '../../prisma/store/dueRows.ts';
import { createLog } from '../../process/log.ts';
import { EngineAway } from '../engineAway.ts';
import type { Duty } from './duty.ts';
import { Reconciler } from './reconciler.ts';

const log = createLog('silent');
const findDue = async () => new Set<string>();

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
  const reconciler = new Reconciler([hangs.duty, fails.duty, works.duty], { findDue, log });
  await Promise.all([thrice, again]);
  expect(hangs.runs()).toBe(1);
  const stopped = reconciler.stop();
  goOn();
  await stopped;
});

test('each has a pause of its own, and a stop ends it', async () => {
  const [seldom, often] = [counted(3_600_000), counted(1)];
  const fifth = often.until(5);
  const reconciler = new Reconciler([seldom.duty, often.duty], { findDue, log });
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
  other.duty.name = 'other';
  const [oneAgain, otherAgain] = [one.until(4), other.until(4)];
  const reconciler = new Reconciler([one.duty, other.duty], { findDue, log: pino(said) });
  await Promise.all([oneAgain, otherAgain]);
  await reconciler.stop();
  expect(lines.trim().split('\n')).toHaveLength(2);
});

test('of shared duties those run that have something to do, and each runs once at first', async () => {
  const NOTHING = {} as DueCondition;
  const [idle, busy] = [counted(1), counted(1)];
  Object.assign(idle.duty, { name: 'idle', due: () => NOTHING });
  Object.assign(busy.duty, { name: 'busy', due: () => NOTHING });
  const asked: string[][] = [];
  const fifth = busy.until(5);
  const reconciler = new Reconciler([idle.duty, busy.duty], {
    log,
    async findDue(duties) {
      asked.push(duties.map(({ name }) => name));
      return new Set(['busy']);
    },
  });
  await fifth;
  await reconciler.stop();
  expect(idle.runs()).toBe(1);
  expect(asked[0]).toEqual(['idle', 'busy']);
});

test('shared duties run also while nobody can say whether they have something to do', async () => {
  const works = counted(1);
  works.duty.due = () => ({}) as DueCondition;
  const third = works.until(3);
  const findDue = async () => {
    throw new Error('canceling statement due to statement timeout');
  };
  const reconciler = new Reconciler([works.duty], { log, findDue });
  await third;
  await reconciler.stop();
});

test('a shared duty that hangs is not begun again, and delays no other', async () => {
  let goOn = () => {};
  const hangs = counted(
    1,
    () =>
      new Promise((go) => {
        goOn = go;
      }),
  );
  const works = counted(1);
  for (const [name, { duty }] of Object.entries({ hangs, works })) {
    Object.assign(duty, { name, due: () => ({}) as DueCondition });
  }
  const third = works.until(3);
  const all = new Set(['hangs', 'works']);
  const reconciler = new Reconciler([hangs.duty, works.duty], { log, findDue: async () => all });
  await third;
  expect(hangs.runs()).toBe(1);
  const stopped = reconciler.stop();
  goOn();
  await stopped;
});
