import type { GuardedFetch } from './guardedFetch.ts';

/** The longest end of an event: `\r\n\r\n`. */
const MAX_END_LENGTH = 4;
const EVENT_ENDS = ['\n\n', '\r\r', '\r\n\r\n'];

/**
 * OpenAI's package scans an unfinished event again for each piece: 64 MB in a thousand pieces would block for minutes.
 */
export function withWholeEvents(inner: GuardedFetch): GuardedFetch {
  return async (url, init) => {
    const response = await inner(url, init);
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(wholeEvents()), { status, statusText, headers: [...headers] });
  };
}

export function wholeEvents(): TransformStream<Uint8Array, Uint8Array> {
  let held: Uint8Array[] = [];
  let before = Buffer.alloc(0);
  const give = (controller: TransformStreamDefaultController<Uint8Array>) => {
    if (held.length > 0) controller.enqueue(new Uint8Array(Buffer.concat(held)));
    held = [];
  };
  return new TransformStream({
    transform(piece, controller) {
      held.push(piece);
      const seen = Buffer.concat([before, piece]);
      before = Buffer.from(seen.subarray(Math.max(0, seen.length - MAX_END_LENGTH + 1)));
      if (EVENT_ENDS.some((end) => seen.includes(end, 0, 'latin1'))) give(controller);
    },
    flush: give,
  });
}
