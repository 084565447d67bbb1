import './zodWithoutEval.ts';
import { DefaultChatTransport, type UIMessage } from 'ai';
import { turnBegun } from '../../../app/storage/noticeChoice.ts';
import { requireTaken } from '../../approvals/turnAttached.ts';
import { resumeStream, streamMessage } from './mutations.ts';

/**
 * Sends only new messages: the API has the history. A request without an answer is repeated under its Idempotency-Key,
 * so it starts no second turn. Rejects with PerdureProblem if refused, with TurnAttached if another turn was running.
 * `onTaken` is called when the task has the message.
 */
export function taskTransport(agentId: string, taskId: string, onTaken: () => void): DefaultChatTransport<UIMessage> {
  const api = `/api/agents/${agentId}/tasks/${encodeURIComponent(taskId)}/stream-message`;
  return new DefaultChatTransport({
    api,
    prepareReconnectToStreamRequest: () => ({ api }),
    prepareSendMessagesRequest: ({ messages, trigger, messageId }) => {
      if (trigger === 'regenerate-message') return { body: { trigger, messageId } };
      return { body: { trigger, messageId, message: messages.find(({ id }) => id === messageId) ?? messages.at(-1) } };
    },
    fetch: async (_address, init = {}) => {
      const { body, method } = init;
      const signal = init.signal ?? undefined;
      if (method !== 'POST') return resumeStream(agentId, taskId, signal);
      turnBegun(agentId, taskId);
      const answer = await streamMessage(agentId, taskId, JSON.parse(String(body)), signal);
      await requireTaken(answer);
      onTaken();
      return answer;
    },
  });
}
