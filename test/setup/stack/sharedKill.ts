import { test } from '@jest/globals';
import type { Stack } from './ownStack.ts';

export interface SharedKill {
  /** Resolves when all other tests are ready for the kill: for a test whose critical moment is short. */
  othersStand(): Promise<void>;
  /** Declares the test ready. Resolves after the kill and restart; `meanwhile` runs in between. */
  kill(meanwhile?: () => Promise<void>): Promise<void>;
}

/**
 * Shares one kill -9 of everything among several tests of a file, because a start costs more than most of them. The
 * tests run concurrently, and the kill happens when the last one is ready. All critical moments but one must last until
 * then.
 */
export function sharedKill(stack: Stack): (name: string, body: (shared: SharedKill) => Promise<void>) => void {
  let underWay = 0;
  let isWanted = false;
  const striking: (() => void)[] = [];
  const whileDown: (() => Promise<void>)[] = [];
  let strike: () => void;
  const struck = new Promise<void>((go) => {
    strike = go;
  })
    .then(() => stack.killMain())
    .then(() => Promise.all(whileDown.map((work) => work())))
    .then(() => stack.startAgain());

  function look(): void {
    if (underWay === 1) for (const goOn of striking.splice(0)) goOn();
    if (underWay === 0 && isWanted) strike();
  }

  return (name, body) =>
    // All tests begin before the first can have made a request.
    test.concurrent(name, async () => {
      underWay += 1;
      let isUnderWay = true;
      const leave = () => {
        if (isUnderWay) underWay -= 1;
        isUnderWay = false;
        look();
      };
      const othersStand = () =>
        new Promise<void>((goOn) => {
          striking.push(goOn);
          look();
        });
      const kill = (meanwhile?: () => Promise<void>) => {
        isWanted = true;
        if (meanwhile) whileDown.push(meanwhile);
        leave();
        return struck;
      };
      // A test that fails early must not delay the others.
      await body({ othersStand, kill }).finally(leave);
    });
}
