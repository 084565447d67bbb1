import { afterEach } from '@jest/globals';

const open: (() => unknown)[] = [];

/** Does `work` when the running test has ended, however it ends; the last one first. Not for `test.concurrent`. */
export function onTestFinished(work: () => unknown): void {
  open.push(work);
}

afterEach(async () => {
  for (const work of open.splice(0).reverse()) await work();
});
