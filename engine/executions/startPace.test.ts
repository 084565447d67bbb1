import { expect, test } from '@jest/globals';
import { StartPace } from './startPace.ts';

const settle = () => new Promise((go) => setImmediate(go));

function makePace(max: number, engine: { answers: boolean }) {
  const seen = { probes: 0, away: 0 };
  const pace = new StartPace({
    max,
    probeMs: 1,
    async answers() {
      seen.probes += 1;
      return engine.answers;
    },
    away: () => {
      seen.away += 1;
    },
  });
  return { pace, seen };
}

function enterer(pace: StartPace) {
  const entered = { count: 0 };
  return {
    entered,
    async enter(count: number) {
      for (let each = 0; each < count; each += 1) void pace.enter().then(() => (entered.count += 1));
      await settle();
      return entered.count;
    },
  };
}

test('calls in flight stay within the setting, and an answer releases the next call', async () => {
  const { pace } = makePace(4, { answers: true });
  const { enter, entered } = enterer(pace);
  expect(await enter(10)).toBe(4);
  pace.leave('answered');
  await settle();
  expect([entered.count, pace.width]).toEqual([5, 4]);
});

test('an unanswered call halves the width, each answer adds one up to the setting', async () => {
  const { pace } = makePace(8, { answers: true });
  const { enter } = enterer(pace);
  await enter(8);
  pace.leave('unanswered');
  expect(pace.width).toBe(4);
  pace.leave('unanswered');
  pace.leave('unanswered');
  pace.leave('unanswered');
  expect(pace.width).toBe(1);
  for (const width of [2, 3, 4]) {
    pace.leave('answered');
    expect(pace.width).toBe(width);
  }
  await settle();
  await enter(4);
  for (let each = 0; each < 20; each += 1) {
    await enter(1);
    pace.leave('answered');
    await settle();
  }
  expect(pace.width).toBe(8);
});

test('while the engine does not answer, nothing is sent but one probe at a time; then the waiting calls go', async () => {
  const engine = { answers: false };
  const { pace, seen } = makePace(4, engine);
  const { enter, entered } = enterer(pace);
  await enter(4);
  for (let each = 0; each < 4; each += 1) pace.leave('unanswered');
  await settle();
  expect([pace.isAway, seen.away]).toEqual([true, 1]);
  expect(await enter(5)).toBe(4);
  while (seen.probes < 5) await settle();
  expect(entered.count).toBe(4);
  engine.answers = true;
  while (pace.isAway) await settle();
  await settle();
  expect([entered.count, pace.width, seen.away]).toEqual([5, 1, 1]);
  pace.leave('answered');
  await settle();
  expect(entered.count).toBe(7);
});

test('after the end of the line nobody waits', async () => {
  const { pace } = makePace(1, { answers: false });
  const { enter, entered } = enterer(pace);
  await enter(3);
  pace.leave('unanswered');
  pace.open();
  await settle();
  expect(entered.count).toBe(3);
});
