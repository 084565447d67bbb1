import { afterAll, afterEach } from '@jest/globals';

const open: (() => unknown)[] = [];

/**
 * Does `work` when the running test has ended in any way, last added first. In a `test.concurrent` it runs after the
 * next sequential test, or at the end of the file.
 */
export function onTestFinished(work: () => unknown): void {
  open.push(work);
}

async function finish(): Promise<void> {
  for (const work of open.splice(0).reverse()) await work();
}

afterEach(finish);
afterAll(finish);
