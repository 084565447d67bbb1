import { useEffect, useRef } from 'react';
import { finishedPart } from './sentences.ts';
import { CHAT } from './words.ts';

/** Lines that were read out long ago go. */
const MAX_LINES = 20;

interface SpokenAnswerProps {
  /** The text of the newest answer so far, and of which message. */
  messageId: string | undefined;
  text: string;
  isStreaming: boolean;
}

/**
 * The answer for those who hear it: sentence by sentence as they are finished, not token by token, and nothing of what stood
 * before. Its lines are in a tree of their own, since the page shows the same text: whoever copies or selects gets it once.
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
