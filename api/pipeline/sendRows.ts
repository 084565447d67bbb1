import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { JsonRows } from '../operation.ts';

/** Failures of the first batch become a problem; later ones break the connection, because the status has been sent. */
export async function sendRows(
  response: Response,
  status: number,
  { batches }: JsonRows,
  onError: (error: Error) => void,
): Promise<void> {
  const iterator = batches[Symbol.asyncIterator]();
  const first = await iterator.next();
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  const text = async function* () {
    try {
      let before = '[';
      for (let read = first; !read.done; read = await iterator.next()) {
        if (read.value.length === 0) continue;
        yield before + read.value.map((row) => JSON.stringify(row)).join(',');
        before = ',';
      }
      yield before === '[' ? '[]' : ']';
    } finally {
      await iterator.return?.();
    }
  };
  try {
    await pipeline(Readable.from(text()), response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') onError(error as Error);
  }
}
