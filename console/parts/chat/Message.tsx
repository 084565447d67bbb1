import { Button, Group, Text, Textarea } from '@mantine/core';
import type { UIMessage } from 'ai';
import { memo, useState } from 'react';
import { toolPartOf } from '../../../domain/agent/toolPart.ts';
import type { Usage } from '../../data/tasks.ts';
import type { ApprovalAnswer } from '../../live/taskChat.ts';
import { CHAT } from '../../words/en/agents.ts';
import { copyText } from '../copyText.ts';
import { done, failed } from '../notices.tsx';
import { MessagePart } from './MessagePart.tsx';
import { ToolCard } from './ToolCard.tsx';

const words = CHAT;

interface MessageProps {
  message: UIMessage;
  author: string;
  usage: Usage | undefined;
  /** Of calls of tools, by message and call. */
  executions: ReadonlyMap<string, string>;
  /** Absent: nothing can be answered now. */
  onAnswer?: ((answer: ApprovalAnswer) => void) | undefined;
  answered: ReadonlySet<string>;
  /** How many calls still wait for an answer. */
  asked: number;
  /** Absent: it cannot be written again. */
  onEdit?: ((text: string) => void) | undefined;
  onRegenerate?: (() => void) | undefined;
}

export const executionKey = (messageId: string, toolCallId: string) => `${messageId} ${toolCallId}`;

/** One message: who wrote it, its parts in their order, and what one can do with it. */
export const Message = memo(function Message(props: MessageProps) {
  const { message, author, usage, executions, onAnswer, answered, asked, onEdit, onRegenerate } = props;
  const [isEdited, setEdited] = useState(false);
  const isOwn = message.role === 'user';
  const text = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
  const copy = () => copyText(text).then(() => done(words.copied), failed);
  return (
    <li className="message" data-own={isOwn}>
      <Text size="sm" fw={600}>
        {author}
      </Text>
      {isEdited && onEdit !== undefined ? (
        <Rewrite text={text} onSend={onEdit} onClose={() => setEdited(false)} />
      ) : (
        message.parts.map((part, at) => {
          const call = toolPartOf(part);
          // Parts have no ids; their order stays.
          const key = call?.toolCallId ?? `${part.type} ${at}`;
          return call === undefined ? (
            <MessagePart key={key} part={part} isOwn={isOwn} />
          ) : (
            <ToolCard
              key={key}
              call={call}
              executionId={executions.get(executionKey(message.id, call.toolCallId))}
              onAnswer={onAnswer}
              isAnswered={answered.has(call.approval?.id ?? '')}
              othersAsked={asked}
            />
          );
        })
      )}
      {!isEdited && (
        <Group gap="xs" className="message-acts">
          {onEdit !== undefined && (
            <Button size="compact-xs" variant="subtle" onClick={() => setEdited(true)}>
              {words.edit}
            </Button>
          )}
          {onRegenerate !== undefined && (
            <Button size="compact-xs" variant="subtle" onClick={onRegenerate}>
              {words.regenerate}
            </Button>
          )}
          {!isOwn && text !== '' && onRegenerate !== undefined && (
            <Button size="compact-xs" variant="subtle" onClick={() => void copy()}>
              {words.copy}
            </Button>
          )}
          {usage?.totalTokens !== undefined && (
            <Text size="xs" title={words.usage(usage.inputTokens ?? 0, usage.outputTokens ?? 0)}>
              {words.tokens(usage.totalTokens)}
            </Text>
          )}
        </Group>
      )}
    </li>
  );
});

/** The last message of the person, written again: it and what followed are replaced. */
function Rewrite({ text, onSend, onClose }: { text: string; onSend: (text: string) => void; onClose: () => void }) {
  const [draft, setDraft] = useState(text);
  const send = () => {
    onSend(draft.trim());
    onClose();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Textarea
        label={words.editLabel}
        autosize
        minRows={2}
        maxRows={12}
        data-autofocus
        value={draft}
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
      <Group gap="xs" mt="xs">
        <Button type="submit" size="xs" disabled={draft.trim() === ''}>
          {words.resend}
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
      </Group>
    </form>
  );
}
