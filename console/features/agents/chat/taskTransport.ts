import './zodWithoutEval.ts';
import { DefaultChatTransport, type UIMessage } from 'ai';
import { turnBegun } from '../../../app/storage/noticeChoice.ts';
import { requireTaken } from '../../approvals/turnAttached.ts';
import { resumeStream, streamMessage } from './mutations.ts';

/**
 * Sends messages of a task and follows its turns, with the tokens of the session. Only what is new is sent: the API has the
 * history. A refusal is the client's PerdureProblem, and a request whose answer is lost is repeated under its own
 * Idempotency-Key, so that it makes no second turn. `onTaken` is called when the task has what was sent; a turn that was
 * running in its stead is a TurnAttached.
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
