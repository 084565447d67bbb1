import { expect, test } from '@jest/globals';
import { OnePass } from './onePass.ts';

function heldWork() {
  const ends: (() => void)[] = [];
  let idle = 0;
  const pass = new OnePass(
    () => new Promise<void>((end) => void ends.push(end)),
    () => {
      idle += 1;
    },
  );
  return { pass, ends, idle: () => idle };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('any number of requests during a pass cause one more pass', async () => {
  const { pass, ends, idle } = heldWork();
  pass.wake();
  expect(ends).toHaveLength(1);
  for (let time = 0; time < 5; time += 1) pass.wake();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await turn();
  expect([ends.length, idle()]).toEqual([2, 0]);
  ends[1]?.();
  await turn();
  expect([ends.length, idle()]).toEqual([2, 1]);
  pass.wake();
  expect(ends).toHaveLength(3);
});

test('a stop waits for the pass that runs, and there is no other one', async () => {
  const { pass, ends } = heldWork();
  pass.wake();
  pass.wake();
  let stopped = false;
  const stop = pass.stop().then(() => {
    stopped = true;
  });
  await turn();
  expect(stopped).toBe(false);
  ends[0]?.();
  await stop;
  pass.wake();
  await turn();
  expect(ends).toHaveLength(1);
});
