import { Anchor, Button, Group, Text, Textarea } from '@mantine/core';
import type { UIMessage } from 'ai';
import { memo, type ReactNode, Suspense, useState } from 'react';
import { toolPartOf } from '../../../../domain/agent/toolPart.ts';
import { copyText } from '../../../ui/CopyText.tsx';
import { lazyPart } from '../../../ui/load/lazyPart.ts';
import { done, failed } from '../../../ui/notices.tsx';
import type { ApprovalAnswer } from '../../approvals/queries.ts';
import { Value } from '../../values/Value.tsx';
import type { Usage } from './queries.ts';
import { ToolCard } from './ToolCard.tsx';
import { isShowable, plainName } from './untrustedContent.ts';
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

type Part = UIMessage['parts'][number];

/** Renders a part that is not a tool call. `isOwn`: a person wrote it, so its text is not markdown. */
function MessagePart({ part, isOwn }: { part: Part; isOwn: boolean }) {
  switch (part.type) {
    case 'text':
      return isOwn ? <div className="plain">{part.text}</div> : <Markdown text={part.text} />;
    case 'reasoning':
      if (part.text.trim() === '') return null;
      return (
        <details className="thought">
          <summary>{part.state === 'streaming' ? words.thinking : words.thought}</summary>
          <Markdown text={part.text} />
        </details>
      );
    case 'file':
      return <FilePart url={part.url} mediaType={part.mediaType} name={part.filename} />;
    case 'source-url':
      return <Away href={part.url}>{part.title ?? part.url}</Away>;
    case 'step-start':
      return null;
    default:
      return part.type.startsWith('data-') && 'data' in part ? (
        <details>
          <summary>{words.data(part.type.slice('data-'.length))}</summary>
          <Value value={part.data} />
        </details>
      ) : null;
  }
}

function FilePart({ url, mediaType, name }: { url: string; mediaType: string; name: string | undefined }) {
  const given = name === undefined ? undefined : plainName(name);
  if (mediaType.startsWith('image/') && isShowable(url, location.origin)) {
    return <img className="picture" src={url} alt={given ?? words.picture} />;
  }
  const label = (
    <>
      {words.file} <bdi>{given ?? mediaType}</bdi>
    </>
  );
  return url.startsWith('data:') ? (
    <Anchor href={url} download={given ?? 'file'} underline="always" className="away">
      {label}
    </Anchor>
  ) : (
    <Away href={url}>{label}</Away>
  );
}

function Away({ href, children }: { href: string; children: ReactNode }) {
  if (!/^https?:/i.test(href)) return <div className="away">{children}</div>;
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" underline="always" className="away">
      {children}
    </Anchor>
  );
}

const MarkdownText = lazyPart(() => import('./MarkdownText.tsx'), 'MarkdownText');

/** Renders an agent's text as markdown. Shows the raw text until the library has loaded. */
const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <Suspense fallback={<div className="plain">{text}</div>}>
      <MarkdownText text={text} />
    </Suspense>
  );
});

/** Shows the draft again if the task does not accept it. `onSend` is absent while nothing can be sent. */
function useRewrite(text: string, onSend: ((text: string) => Promise<boolean>) | undefined) {
  const [draft, setDraft] = useState<string>();
  const [isSending, setSending] = useState(false);
  return {
    draft: isSending ? undefined : draft,
    begin: () => setDraft(text),
    write: setDraft,
    close: () => setDraft(undefined),
    send:
      onSend === undefined || draft === undefined || draft.trim() === ''
        ? undefined
        : () => {
            setSending(true);
            void onSend(draft.trim()).then((isTaken) => {
              if (isTaken) setDraft(undefined);
              setSending(false);
            });
          },
    isPossible: onSend !== undefined,
  };
}

interface RewriteProps extends Omit<ReturnType<typeof useRewrite>, 'begin' | 'draft'> {
  draft: string;
}

/** Sending replaces the person's last message and all that followed. */
function Rewrite({ draft, write, close, send, isPossible }: RewriteProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send?.();
      }}
    >
      <Textarea
        label={words.editLabel}
        autosize
        minRows={2}
        maxRows={12}
        // A ref focuses it once, on mount.
        ref={focused}
        value={draft}
        onChange={(event) => write(event.currentTarget.value)}
      />
      {!isPossible && <Text size="sm">{words.editWaits}</Text>}
      <Group gap="xs" mt="xs">
        <Button type="submit" size="xs" disabled={send === undefined}>
          {words.resend}
        </Button>
        <Button size="xs" variant="default" onClick={close}>
          {words.cancel}
        </Button>
      </Group>
    </form>
  );
}

const focused = (field: HTMLTextAreaElement | null) => field?.focus();
