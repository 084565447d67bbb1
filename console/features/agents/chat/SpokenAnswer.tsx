import { useEffect, useRef } from 'react';
import { finishedPart } from './sentences.ts';
import { CHAT } from './words.ts';

/** Older lines are removed: they were read aloud long ago. */
const MAX_LINES = 20;

interface SpokenAnswerProps {
  messageId: string | undefined;
  text: string;
  isStreaming: boolean;
}

/**
 * Announces the streamed answer to screen readers, sentence by sentence. A closed shadow root hides these lines from
 * copying and selecting, because the page shows the same text.
 */
export function SpokenAnswer({ messageId, text, isStreaming }: SpokenAnswerProps) {
  const host = useRef<HTMLDivElement>(null);
  const lines = useRef<ShadowRoot>(undefined);
  const said = useRef({ messageId, upTo: isStreaming ? 0 : text.length });
  useEffect(() => {
    lines.current ??= host.current?.attachShadow({ mode: 'closed' });
    if (said.current.messageId !== messageId) said.current = { messageId, upTo: isStreaming ? 0 : text.length };
    const { upTo } = said.current;
    const next = finishedPart(text, !isStreaming);
    if (next.length <= upTo || lines.current === undefined) return;
    said.current.upTo = next.length;
    const line = document.createElement('p');
    line.textContent = next.slice(upTo);
    lines.current.append(line);
    if (lines.current.childElementCount > MAX_LINES) lines.current.firstElementChild?.remove();
  }, [messageId, text, isStreaming]);
  return <div ref={host} role="log" className="aloud" aria-label={CHAT.conversation} />;
}
