import { afterAll, afterEach } from '@jest/globals';

const open: (() => unknown)[] = [];

/**
 * Does `work` when the running test has ended, however it ends; the last one first. In a `test.concurrent` when the next
 * test that runs by itself has ended, or the file.
 */
export function onTestFinished(work: () => unknown): void {
  open.push(work);
}

async function finish(): Promise<void> {
  for (const work of open.splice(0).reverse()) await work();
}

afterEach(finish);
afterAll(finish);
