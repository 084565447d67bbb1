/** The maximum number of parts and of tokens in one call to the embedding provider. A larger part gets its own call. */
export const CALL_PARTS = 64;
export const CALL_TOKENS = 100_000;

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
