import type { UIMessageChunk } from 'ai';

/** Parts that a stream has begun and not ended. A stored message, and the end of a stream, need all parts closed. */
export function closersOf(chunks: readonly UIMessageChunk[], errorText: string): UIMessageChunk[] {
  const texts = new Set<string>();
  const reasonings = new Set<string>();
  const calls = new Map<string, { toolName: string; hasInput: boolean }>();
  let isInStep = false;
  for (const chunk of chunks) {
    if (chunk.type === 'text-start') texts.add(chunk.id);
    else if (chunk.type === 'text-end') texts.delete(chunk.id);
    else if (chunk.type === 'reasoning-start') reasonings.add(chunk.id);
    else if (chunk.type === 'reasoning-end') reasonings.delete(chunk.id);
    else if (chunk.type === 'start-step') isInStep = true;
    else if (chunk.type === 'finish-step') isInStep = false;
    else if (chunk.type === 'tool-input-start')
      calls.set(chunk.toolCallId, { toolName: chunk.toolName, hasInput: false });
    else if (chunk.type === 'tool-input-available')
      calls.set(chunk.toolCallId, { toolName: chunk.toolName, hasInput: true });
    else if (SETTLING.has(chunk.type) && 'toolCallId' in chunk) calls.delete(chunk.toolCallId);
  }
  return [
    ...[...reasonings].map((id): UIMessageChunk => ({ type: 'reasoning-end', id })),
    ...[...texts].map((id): UIMessageChunk => ({ type: 'text-end', id })),
    ...[...calls].map(
      ([toolCallId, { toolName, hasInput }]): UIMessageChunk =>
        hasInput
          ? { type: 'tool-output-error', toolCallId, errorText }
          : { type: 'tool-input-error', toolCallId, toolName, input: '', errorText },
    ),
    ...(isInStep ? [{ type: 'finish-step' } as const] : []),
  ];
}

const SETTLING: ReadonlySet<string> = new Set([
  'tool-input-error',
  'tool-output-available',
  'tool-output-error',
  'tool-output-denied',
]);
