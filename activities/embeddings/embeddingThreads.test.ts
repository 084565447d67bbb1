import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';
import { EmbeddingThreads } from './embeddingThreads.ts';
import type { ThreadTask } from './threadMessages.ts';

/** Threads are numbered in order. */
async function numberNow(): Promise<number> {
  const thread = new Worker('', { eval: true });
  const { threadId } = thread;
  await thread.terminate();
  return threadId;
}

test('a thread whose encoder fails is replaced by another one', async () => {
  const threads = new EmbeddingThreads(1, 10);
  const embed = (texts: unknown) => threads.run({ kind: 'embed', texts } as ThreadTask);
  const before = await numberNow();
  expect(await embed([null])).toMatchObject({ kind: 'failed' });
  for (const text of ['one', 'two']) expect(await embed([text])).toMatchObject({ kind: 'embed' });
  expect((await numberNow()) - before - 1).toBe(2);
});
