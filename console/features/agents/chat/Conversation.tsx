import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ToolPart } from '../../../../domain/agent/toolPart.ts';
import { errorTextOf } from '../../../../domain/agent/turnEnd.ts';
import { useMay } from '../../../app/api/me.ts';
import type { OutboxMessage } from '../../../app/delivery/outbox.ts';
import { Chip } from '../../../ui/Chip.tsx';
import { done, failed, warned } from '../../../ui/notices.tsx';
import { ProblemAlert } from '../../../ui/problem/ProblemAlert.tsx';
import { Moment } from '../../../ui/time/Moment.tsx';
import { useChosenAnswers } from '../../approvals/chosenAnswers.ts';
import type { ApprovalAnswer } from '../../approvals/queries.ts';
import { Composer } from './Composer.tsx';
import { executionKey, Message } from './Message.tsx';
import type { LatestRun, TaskWhole } from './queries.ts';
import { SpokenAnswer } from './SpokenAnswer.tsx';
import { askedIn } from './ToolCard.tsx';
import { useTaskChat } from './taskChat.ts';
import { plainName } from './untrustedContent.ts';
import { CHAT } from './words.ts';

const words = CHAT;

/** A longer conversation shows its newest messages first, and the others on request. */
const MAX_SHOWN = 200;

const NO_ANSWERS: readonly ApprovalAnswer[] = [];

interface ConversationProps {
  agentId: string;
  taskId: string;
  agentName: string;
  task: TaskWhole;
  readAt: number;
}

export function Conversation({ agentId, taskId, agentName, task, readAt }: ConversationProps) {
  const may = useMay();
  const mayUse = may('agents:use');
  const chat = useTaskChat({ agentId, taskId, task, readAt, mayFollow: mayUse });
  const { messages, isWorking, isStreaming, approve } = chat;
  const [shown, setShown] = useState(MAX_SHOWN);
  const last = messages.at(-1);
  const asked = useMemo(() => (isWorking ? [] : askedIn(last)), [isWorking, last]);
  const place = useRef<HTMLDivElement>(null);
  const hasAnswered = useRef(false);
  const [answers, setAnswers] = useChosenAnswers(agentId, taskId, 'chat');
  const answered = useMemo(() => new Map(answers.map((each) => [each.id, each])), [answers]);
  const takeBack = useCallback(
    (id: string) => {
      hasAnswered.current = true;
      setAnswers(answers.filter((each) => each.id !== id));
    },
    [answers, setAnswers],
  );
  // The buttons of an answered call disappear: focus the next open call, or the composer.
  useEffect(() => {
    if (!hasAnswered.current || document.activeElement !== document.body) return;
    hasAnswered.current = false;
    place.current?.querySelector<HTMLElement>('.approval button, .composer textarea')?.focus();
  }, [asked, answers]);
  // After the first message of a task, the composer keeps the focus.
  const isBegun = useRef(chat.outbox.length > 0);
  useEffect(() => {
    if (isBegun.current) place.current?.querySelector<HTMLElement>('.composer textarea')?.focus();
  }, []);
  const answer = useCallback(
    (given: ApprovalAnswer) => {
      hasAnswered.current = true;
      const all = [...answers.filter(({ id }) => id !== given.id && isAsked(asked, id)), given];
      const isWhole = asked.every(({ approval }) => all.some(({ id }) => id === approval?.id));
      setAnswers(isWhole ? NO_ANSWERS : all);
      if (isWhole) void approve(all).then((isOvertaken) => isOvertaken && warned(words.overtaken));
    },
    [answers, asked, approve, setAnswers],
  );
  const stop = useMutation({
    mutationFn: chat.stop,
    onSuccess: ({ stopped }) => !stopped && done(words.stopped),
    onError: failed,
  });
  const mayReadExecutions = may('executions:read');
  const executions = useMemo(() => {
    const known = mayReadExecutions ? (task.toolExecutions ?? []) : [];
    return new Map(known.map((each) => [executionKey(each.messageId, each.toolCallId), each.executionId]));
  }, [mayReadExecutions, task.toolExecutions]);
  const { isAway, toEnd } = useStickToEnd(messages);
  const ownLast = messages.findLast(({ role }) => role === 'user');
  const answerText =
    last?.role === 'assistant'
      ? last.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
      : '';
  const canChange = mayUse && !isWorking && asked.length === 0;
  const retry = () => {
    if (last?.role === 'assistant') void chat.regenerate(last.id);
    else if (ownLast !== undefined) void chat.edit(ownLast.id, textOf(ownLast));
  };
  const asks = asked.length > 0 && mayUse ? words.asksYou : '';
  const status = isWorking ? workingText(chat.outbox) : asks;
  return (
    <div className="conversation" ref={place}>
      {messages.length === 0 && chat.outbox.length === 0 && <Text>{words.empty}</Text>}
      {messages.length > shown && (
        <Button variant="default" size="xs" onClick={() => setShown(shown + MAX_SHOWN)}>
          {words.earlier}
        </Button>
      )}
      <ol className="messages" aria-label={words.conversation}>
        {messages.slice(-shown).map((message) => (
          <Message
            key={message.id}
            message={message}
            author={message.role === 'user' ? words.you : agentName}
            usage={task.messageUsage?.[message.id]}
            executions={executions}
            onAnswer={mayUse && message === last && !isWorking ? answer : undefined}
            answered={answered}
            onTakeBack={takeBack}
            asked={asked.filter(({ approval }) => !answered.has(approval?.id ?? '')).length}
            onEdit={canChange && message === ownLast ? (text) => chat.edit(message.id, text) : undefined}
            onRegenerate={
              canChange && message === last && last.role === 'assistant'
                ? () => void chat.regenerate(message.id)
                : undefined
            }
          />
        ))}
      </ol>
      <SpokenAnswer messageId={last?.id} text={answerText} isStreaming={isStreaming} />
      {task.latestRun != null && (!isWorking || task.latestRun.status === 'RUNNING') && (
        <TurnEnd run={task.latestRun} onRetry={canChange ? retry : undefined} />
      )}
      {!isWorking && last?.role === 'assistant' && task.latestRun?.status === 'COMPLETED' && isEmpty(last) && (
        <Text size="sm">{words.noAnswer}</Text>
      )}
      {chat.refusal !== undefined && <ProblemAlert error={chat.refusal} />}
      <div className="bottom">
        {isAway && (
          <Button size="xs" variant="default" onClick={toEnd}>
            {words.toNewest}
          </Button>
        )}
        <Stack gap="xs">
          <Text role="status" size="sm">
            {status}
          </Text>
          <Outbox messages={chat.outbox} onCancel={chat.cancel} onSend={chat.sendHeld} />
          {mayUse && (
            <Composer
              agentId={agentId}
              taskId={taskId}
              onSend={(text, files) => {
                toEnd();
                chat.send(text, files);
              }}
              onStop={isWorking ? () => stop.mutate() : undefined}
              isStopping={stop.isPending}
              note={isWorking ? words.waiting : asked.length > 0 ? words.instead : undefined}
            />
          )}
        </Stack>
      </div>
    </div>
  );
}

const isAsked = (asked: readonly ToolPart[], id: string) => asked.some(({ approval }) => approval?.id === id);

const workingText = (outbox: readonly OutboxMessage[]) => {
  const hasWaiting = outbox.some(({ state }) => state === 'waiting');
  return `${words.answering} ${hasWaiting ? words.staysHere : words.goesOn}`;
};

/** A model may end a turn without any text. */
const isEmpty = ({ parts }: { parts: { type: string; text?: string }[] }) =>
  parts.every(({ type, text = '' }) => type === 'step-start' || (type === 'text' && text.trim() === ''));

const textOf = ({ parts }: { parts: { type: string; text?: string }[] }) =>
  parts.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n\n');

function TurnEnd({ run, onRetry }: { run: LatestRun; onRetry: (() => void) | undefined }) {
  const { status, finishReason, error, retryAt, contextTrimmed } = run;
  const finish = words.finish[finishReason ?? ''];
  return (
    <>
      {status === 'RUNNING' && retryAt !== undefined && (
        <Text size="sm">
          {words.retries} <Moment at={retryAt} />
        </Text>
      )}
      {status === 'FAILED' && (
        <Alert
          role="alert"
          color="red"
          variant="light"
          title={words.failedTitle}
          styles={{ message: { color: 'var(--mantine-color-text)' }, title: { color: 'var(--ink-bad)' } }}
        >
          <Text size="sm">{error?.message ?? errorTextOf(error?.code ?? null)}</Text>
          {error?.message !== undefined && <Text size="xs">{error.code}</Text>}
          {onRetry !== undefined && (
            <Button mt="sm" size="xs" variant="default" onClick={onRetry}>
              {words.tryAgain}
            </Button>
          )}
        </Alert>
      )}
      {status === 'STOPPED' && <Text size="sm">{words.stoppedText}</Text>}
      {status === 'COMPLETED' && finish !== undefined && <Text size="sm">{finish}</Text>}
      {contextTrimmed !== undefined && (
        <Text size="sm">{words.trimmed(contextTrimmed.messages, contextTrimmed.toolResults)}</Text>
      )}
    </>
  );
}

const SHORT = 40;

interface OutboxProps {
  messages: readonly OutboxMessage[];
  onCancel: (id: string) => void;
  onSend: (id: string) => void;
}

function Outbox({ messages, onCancel, onSend }: OutboxProps) {
  const shown = messages.filter(({ state }) => state !== 'sent');
  if (shown.length === 0) return null;
  return (
    <ul className="outbox" aria-label={words.afterTurn}>
      {shown.map(({ id, text, files = [], state }) => (
        <li key={id}>
          <Group gap="xs" wrap="nowrap" align="flex-start">
            <Chip tone={state === 'held' ? 'bad' : 'wait'}>{state === 'held' ? words.held : words.afterTurn}</Chip>
            <Text className="plain" size="sm">
              {text}
              {files.map(({ filename = '' }, at) => (
                <bdi key={at} className="away">
                  {plainName(filename)}
                </bdi>
              ))}
            </Text>
            {state === 'held' && (
              <Button size="compact-xs" variant="default" onClick={() => onSend(id)}>
                {words.sendHeld}
              </Button>
            )}
            <Button
              size="compact-xs"
              variant="default"
              aria-label={words.cancelWaiting((text || plainName(files[0]?.filename ?? '')).slice(0, SHORT))}
              onClick={() => onCancel(id)}
            >
              {words.cancel}
            </Button>
          </Group>
        </li>
      ))}
    </ul>
  );
}

/** Within this distance, the page counts as scrolled to its end. */
const NEAR_PX = 120;

const distance = () => document.documentElement.scrollHeight - innerHeight - scrollY;

/** Keeps a growing page scrolled to its end, unless the person has scrolled up. */
function useStickToEnd(content: unknown) {
  const sticks = useRef(true);
  const [isAway, setAway] = useState(false);
  const toEnd = useCallback(() => {
    sticks.current = true;
    scrollTo({ top: document.documentElement.scrollHeight });
  }, []);
  useEffect(() => {
    let lastY = scrollY;
    let lastHeight = document.documentElement.scrollHeight;
    const look = () => {
      const height = document.documentElement.scrollHeight;
      // Content that grows or shrinks also changes the distance to the end, but only a person scrolls up.
      const wentUp = scrollY < lastY && height >= lastHeight;
      if (distance() < NEAR_PX) sticks.current = true;
      else if (wentUp) sticks.current = false;
      lastY = scrollY;
      lastHeight = height;
      setAway(!sticks.current);
    };
    addEventListener('scroll', look, { passive: true });
    const grown = new ResizeObserver(() => {
      if (sticks.current) toEnd();
    });
    grown.observe(document.body);
    return () => {
      removeEventListener('scroll', look);
      grown.disconnect();
    };
  }, [toEnd]);
  useLayoutEffect(() => {
    if (sticks.current) toEnd();
  }, [content, toEnd]);
  return { isAway, toEnd };
}
