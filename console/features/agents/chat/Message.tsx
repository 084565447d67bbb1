import { Button, Group, Text } from '@mantine/core';
import type { UIMessage } from 'ai';
import { memo } from 'react';
import { toolPartOf } from '../../../../domain/agent/toolPart.ts';
import { copyText } from '../../../ui/copy/copyText.ts';
import { done, failed } from '../../../ui/notices/notices.tsx';
import type { ApprovalAnswer } from '../../approvals/queries.ts';
import { MessagePart } from './MessagePart.tsx';
import type { Usage } from './queries.ts';
import { Rewrite, useRewrite } from './Rewrite.tsx';
import { ToolCard } from './ToolCard.tsx';
import { CHAT } from './words.ts';

const words = CHAT;

interface MessageProps {
  message: UIMessage;
  author: string;
  usage: Usage | undefined;
  /** Executions of tool calls, by `executionKey`. */
  executions: ReadonlyMap<string, string>;
  /** Absent if nothing can be answered now. */
  onAnswer?: ((answer: ApprovalAnswer) => void) | undefined;
  /** Chosen answers that are not sent yet, by approval id. */
  answered: ReadonlyMap<string, ApprovalAnswer>;
  onTakeBack: (id: string) => void;
  asked: number;
  onEdit?: ((text: string) => Promise<boolean>) | undefined;
  onRegenerate?: (() => void) | undefined;
}

export const executionKey = (messageId: string, toolCallId: string) => `${messageId} ${toolCallId}`;

export const Message = memo(function Message(props: MessageProps) {
  const { message, author, usage, executions, onAnswer, answered, onTakeBack, asked, onEdit, onRegenerate } = props;
  const isOwn = message.role === 'user';
  const text = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
  const rewrite = useRewrite(text, onEdit);
  const copy = () => copyText(text).then(() => done(words.copied), failed);
  return (
    <li className="message" data-own={isOwn}>
      <Text size="sm" fw={600}>
        {author}
      </Text>
      {rewrite.draft !== undefined ? (
        <Rewrite {...rewrite} draft={rewrite.draft} />
      ) : (
        message.parts.map((part, at) => {
          const call = toolPartOf(part);
          // Parts have no ids, but their order is stable.
          const key = call?.toolCallId ?? `${part.type} ${at}`;
          return call === undefined ? (
            <MessagePart key={key} part={part} isOwn={isOwn} />
          ) : (
            <ToolCard
              key={key}
              call={call}
              executionId={executions.get(executionKey(message.id, call.toolCallId))}
              onAnswer={onAnswer}
              answer={answered.get(call.approval?.id ?? '')}
              onTakeBack={onTakeBack}
              othersAsked={asked}
            />
          );
        })
      )}
      {rewrite.draft === undefined && (
        <Group gap="xs" className="message-acts">
          {onEdit !== undefined && (
            <Button size="compact-xs" variant="subtle" data-edit-last onClick={rewrite.begin}>
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
