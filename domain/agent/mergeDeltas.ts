import type { UIMessageChunk } from 'ai';

/** Merges consecutive deltas of one part, so that fewer chunks are stored, sent and folded. */
export function mergeDeltas(chunks: readonly UIMessageChunk[]): UIMessageChunk[] {
  const merged: UIMessageChunk[] = [];
  for (const chunk of chunks) {
    const joined = join(merged.at(-1), chunk);
    if (joined) merged[merged.length - 1] = joined;
    else merged.push(chunk);
  }
  return merged;
}

function join(before: UIMessageChunk | undefined, chunk: UIMessageChunk): UIMessageChunk | undefined {
  if (before?.type === 'tool-input-delta' && chunk.type === 'tool-input-delta') {
    if (before.toolCallId !== chunk.toolCallId) return undefined;
    return { ...before, inputTextDelta: before.inputTextDelta + chunk.inputTextDelta };
  }
  const isText = before?.type === 'text-delta' && chunk.type === 'text-delta';
  const isReasoning = before?.type === 'reasoning-delta' && chunk.type === 'reasoning-delta';
  if (!(isText || isReasoning) || before.id !== chunk.id) return undefined;
  return { ...before, delta: before.delta + chunk.delta };
}
