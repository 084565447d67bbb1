import type { UIMessage, UIMessageChunk } from 'ai';
import { withDenials } from '../../domain/agent/approvals.ts';
import { mergeDeltas } from '../../domain/agent/mergeDeltas.ts';

/** Builds the message from chunks like every client; continues `before` if there is one. */
export async function foldMessage(
  id: string,
  before: UIMessage | undefined,
  chunks: readonly UIMessageChunk[],
): Promise<UIMessage> {
  if (chunks.length === 0) return before ?? { id, role: 'assistant', parts: [] };
  const { readUIMessageStream } = await import('ai');
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      controller.enqueue({ type: 'start', messageId: id });
      for (const chunk of mergeDeltas(chunks)) controller.enqueue(chunk);
      controller.close();
    },
  });
  let folded: UIMessage = before ?? { id, role: 'assistant', parts: [] };
  const message = before === undefined ? {} : { message: structuredClone(before) };
  for await (const snapshot of readUIMessageStream({ ...message, stream, terminateOnError: true })) folded = snapshot;
  return { ...folded, parts: withDenials(folded.parts) };
}
