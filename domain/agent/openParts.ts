import type { UIMessage, UIMessageChunk } from 'ai';
import { type ApprovalAnswer, answeredCalls } from './approvals.ts';

const ENDS: ReadonlySet<string> = new Set(['tool-output-available', 'tool-output-error', 'tool-output-denied']);

/** Closes the parts that a stream left open: a stored message and an ended stream must have none. */
export function closersOf(chunks: readonly UIMessageChunk[], errorText: string): UIMessageChunk[] {
  const texts = new Set<string>();
  const reasonings = new Set<string>();
  const calls = new Map<string, { toolName: string; hasInput: boolean }>();
  let isInStep = false;
  for (const chunk of chunks) {
    switch (chunk.type) {
      case 'text-start':
        texts.add(chunk.id);
        break;
      case 'text-end':
        texts.delete(chunk.id);
        break;
      case 'reasoning-start':
        reasonings.add(chunk.id);
        break;
      case 'reasoning-end':
        reasonings.delete(chunk.id);
        break;
      case 'start-step':
      case 'finish-step':
        isInStep = chunk.type === 'start-step';
        break;
      case 'tool-input-start':
      case 'tool-input-available':
        calls.set(chunk.toolCallId, { toolName: chunk.toolName, hasInput: chunk.type === 'tool-input-available' });
        break;
      case 'tool-input-error':
      case 'tool-output-available':
      case 'tool-output-error':
      case 'tool-output-denied':
        calls.delete(chunk.toolCallId);
        break;
    }
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

/** Closes answered calls that the continuing turn ended before beginning. */
export function answeredClosers(
  parts: UIMessage['parts'],
  answers: readonly ApprovalAnswer[],
  chunks: readonly UIMessageChunk[],
  errorText: string,
): UIMessageChunk[] {
  const ended = new Set(
    chunks.flatMap((chunk) => (ENDS.has(chunk.type) && 'toolCallId' in chunk ? chunk.toolCallId : [])),
  );
  return answeredCalls(parts, answers).flatMap(({ toolCallId, approved }): UIMessageChunk[] => {
    if (ended.has(toolCallId)) return [];
    return [
      approved ? { type: 'tool-output-error', toolCallId, errorText } : { type: 'tool-output-denied', toolCallId },
    ];
  });
}
