/** Most parts of one call to the embedding provider, and most tokens. A part that alone has more goes by itself. */
export const CALL_PARTS = 64;
export const CALL_TOKENS = 100_000;

/** The parts in calls, in order. */
export function* embeddingCalls<Part extends { tokens: number }>(parts: readonly Part[]): Generator<Part[]> {
  let call: Part[] = [];
  let tokens = 0;
  for (const part of parts) {
    const isFull = call.length === CALL_PARTS || tokens + part.tokens > CALL_TOKENS;
    if (isFull && call.length > 0) {
      yield call;
      call = [];
      tokens = 0;
    }
    call.push(part);
    tokens += part.tokens;
  }
  if (call.length > 0) yield call;
}
