import './zodWithoutEval.ts';
import { Chat, useChat } from '@ai-sdk/react';
import { useQuery } from '@tanstack/react-query';
import { DefaultChatTransport, type FileUIPart, type UIMessage } from 'ai';
import { isProblem, type PerdureProblem } from 'perdure-client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ME } from '../../../app/api/me.ts';
import {
  changeOutbox,
  filesKey,
  firstWaiting,
  moved,
  newMessage,
  type OutboxChange,
  type OutboxMessage,
  restored,
  type StoredMessage,
  settled,
  stored,
  useOutbox,
} from '../../../app/delivery/outbox.ts';
import { browserTexts, keysWith, tabName } from '../../../app/storage/browserStorage.ts';
import { keepDraft, leftMessagesPlace, readDraft } from '../../../app/storage/drafts.ts';
import { readFiles } from '../../../app/storage/keptFiles.ts';
import { turnBegun } from '../../../app/storage/noticeChoice.ts';
import { personId } from '../../../app/storage/personId.ts';
import { hold, ifLeft } from '../../../app/storage/sharedDraft.ts';
import type { ApprovalAnswer } from '../../approvals/queries.ts';
import { requireTaken, TurnAttached } from '../../approvals/turnAttached.ts';
import { messageParts, refreshTask, resumeStream, stopTurn, streamMessage } from './mutations.ts';
import { type TaskWhole, takesMessage } from './queries.ts';
import { showTask } from './unshownTasks.ts';

/** The minimum time between two renders of a streamed answer: tokens come faster than people read. */
const DRAW_EVERY_MS = 32;

interface TaskNow {
  agentId: string;
  taskId: string;
  task: TaskWhole;
  readAt: number;
  /** People who may use agents follow turns; others see the task when it changes. */
  mayFollow: boolean;
}

/**
 * While no turn is followed here, the server's history replaces that of the page. A running turn is followed, no matter
 * who began it. Messages written meanwhile wait and are sent one after the other.
 */
export function useTaskChat({ agentId, taskId, task, readAt, mayFollow }: TaskNow) {
  const outbox = useOutbox(agentId, taskId);
  const wasTaken = useRef(false);
  const [chat] = useState(() => {
    const transport = taskTransport(agentId, taskId, () => {
      wasTaken.current = true;
    });
    return new Chat<UIMessage>({ id: taskId, messages: task.messages, transport });
  });
  const { messages, status } = useChat({ chat, experimental_throttle: DRAW_EVERY_MS });
  const [isFollowing, setFollowing] = useState(false);
  const [refusal, setRefusal] = useState<PerdureProblem>();
  /** Older reads of the task lack the end of the turn that this page has seen. */
  const endedAt = useRef(0);
  const isBusy = useRef(false);
  const change = useCallback((how: OutboxChange) => changeOutbox(agentId, taskId, how), [agentId, taskId]);
  useLeftMessages(agentId, taskId, task.messages, outbox, change);

  /** Resolves to true if the task accepted the message. */
  const run = useCallback(
    async (act: () => Promise<void>): Promise<boolean> => {
      if (isBusy.current) return false;
      isBusy.current = true;
      wasTaken.current = false;
      setFollowing(true);
      setRefusal(undefined);
      try {
        await act();
      } finally {
        // A failed turn is shown in the task, and the banner reports an unreachable API.
        if (isProblem(chat.error) && chat.error.status > 0) setRefusal(chat.error);
        endedAt.current = Date.now();
        isBusy.current = false;
        setFollowing(false);
        refreshTask(agentId, taskId);
      }
      return wasTaken.current;
    },
    [chat, agentId, taskId],
  );
  const sendNow = useCallback(
    (message: OutboxMessage) => {
      change((messages) => moved(messages, message.id, 'sending'));
      return run(() =>
        chat.sendMessage({ id: message.id, role: 'user', parts: messageParts(message.text, message.files) }),
      );
    },
    [chat, change, run],
  );

  useEffect(() => {
    if (isFollowing || isBusy.current || readAt <= endedAt.current) return;
    chat.clearError();
    chat.messages = task.messages;
    const open = settled(outbox, new Set(task.messages.map(({ id }) => id)), refusal !== undefined);
    // Changing the outbox renders again and runs this effect again.
    if (open !== outbox) return change(() => open);
    const next = firstWaiting(outbox);
    if (task.isStreaming) {
      if (mayFollow) void run(() => chat.resumeStream());
    } else if (next !== undefined && takesMessage(task)) {
      void sendNow(next);
    }
  }, [chat, change, isFollowing, mayFollow, outbox, readAt, refusal, run, sendNow, task]);

  // Leaving the page stops following. The turn continues, and other pages send the waiting messages.
  useEffect(() => {
    const leave = showTask(agentId, taskId);
    return () => {
      void chat.stop();
      leave();
    };
  }, [chat, agentId, taskId]);

  const isWorking = isFollowing || task.isStreaming;
  return {
    messages,
    isWorking,
    isStreaming: status === 'streaming',
    outbox,
    refusal,
    send(text: string, files: readonly FileUIPart[]) {
      const message = newMessage(text, files);
      change((given) => [...given, message]);
      // Older waiting messages are sent first.
      if (!isWorking) void sendNow(firstWaiting(outbox) ?? message);
    },
    sendHeld: (id: string) => change((messages) => moved(messages, id, 'retry')),
    cancel: (id: string) => change((messages) => moved(messages, id, 'canceled')),
    /** Replaces the text; files of the message stay. Resolves to true if the task accepted it. */
    edit: (messageId: string, text: string) => {
      const given = chat.messages.find(({ id }) => id === messageId)?.parts ?? [];
      const parts = messageParts(
        text,
        given.filter(({ type }) => type !== 'text'),
      );
      return run(() => chat.sendMessage({ messageId, role: 'user', parts }));
    },
    regenerate: (messageId: string) => run(() => chat.regenerate({ messageId })),
    /** The turn needs all answers to continue. Resolves to true if somebody else answered first. */
    async approve(answers: readonly ApprovalAnswer[]): Promise<boolean> {
      let isOvertaken = false;
      await run(async () => {
        for (const answer of answers) await chat.addToolApprovalResponse(answer);
        await chat.sendMessage();
        isOvertaken = chat.error instanceof TurnAttached || isProblem(chat.error, 'CONFLICT');
        // The page reports this case itself.
        if (isOvertaken) chat.clearError();
      });
      return isOvertaken;
    },
    stop: () => stopTurn(agentId, taskId),
  };
}

/** Locks of this tab, held until it is closed: its unsent messages belong to it on each of its pages. */
const held = new Set<string>();

/**
 * Stores this tab's unsent messages and takes over those of closed tabs. The latter are held for the person, because
 * the conversation may have continued without them.
 */
function useLeftMessages(
  agentId: string,
  taskId: string,
  messages: readonly UIMessage[],
  outbox: readonly OutboxMessage[],
  change: (how: OutboxChange) => void,
): void {
  const arrived = useRef(messages);
  arrived.current = messages;
  const { data: me } = useQuery(ME);
  const place = me === undefined ? undefined : leftMessagesPlace(personId(me), agentId, taskId);
  useEffect(() => {
    if (place === undefined) return;
    const own = place + tabName();
    if (!held.has(own)) hold(own);
    held.add(own);
    for (const key of keysWith(browserTexts(), place)) {
      if (key !== own)
        void ifLeft(key, async () => {
          const left = await taken(key);
          change((given) => [...given, ...unknown(left, [...given, ...arrived.current])]);
          browserTexts().removeItem(key);
        });
    }
  }, [place, change]);
  useEffect(() => {
    if (place === undefined) return;
    const own = place + tabName();
    if (outbox.length === 0) browserTexts().removeItem(own);
    else keepDraft(browserTexts(), own, { messages: stored(outbox) }, Date.now());
  }, [place, outbox]);
}

async function taken(key: string): Promise<OutboxMessage[]> {
  const left = (readDraft(browserTexts(), key, Date.now())?.given.messages ?? []) as StoredMessage[];
  await Promise.all(left.filter(({ hasFiles }) => hasFiles).map(({ id }) => readFiles(filesKey(id))));
  return left.flatMap(restored).map((each) => ({ ...each, state: 'held' as const }));
}

/** Skips messages with known ids: the task may have them, and a duplicated tab has the messages of the first one. */
const unknown = (left: readonly OutboxMessage[], known: readonly { id: string }[]) =>
  left.filter(({ id }) => known.every((each) => each.id !== id));

/**
 * Sends only new messages: the API has the history. A request without an answer is repeated under its Idempotency-Key,
 * so it starts no second turn. Rejects with PerdureProblem if refused, with TurnAttached if another turn was running.
 * `onTaken` is called when the task has the message.
 */
function taskTransport(agentId: string, taskId: string, onTaken: () => void): DefaultChatTransport<UIMessage> {
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
