import { test } from '@jest/globals';
import type { Stack } from './ownStack.ts';

export interface SharedKill {
  /** Resolves when every other test stands before its kill: for the one test whose worst moment passes at once. */
  othersStand(): Promise<void>;
  /** The test's worst moment is now. Resolves when all was killed and runs again; `meanwhile` is done in between. */
  kill(meanwhile?: () => Promise<void>): Promise<void>;
}

/**
 * One kill -9 of everything for several tests of a file: a start costs more than what most of them do. They run side by
 * side, and it comes when the last of them asks for it. The moments of all but one must hold until then.
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
    // All of them begin before the first can have made a request.
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
      // One that failed before its moment holds up nobody.
      await body({ othersStand, kill }).finally(leave);
    });
}
