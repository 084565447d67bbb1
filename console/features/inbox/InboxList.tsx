import { Badge, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type MouseEvent, type ReactNode, useId } from 'react';
import type { SearchOf } from '../../ui/search.ts';
import { Countdown, Moment } from '../../ui/time/Moment.tsx';
import { WORDS } from '../../ui/words/words.ts';
import type { AskingTask } from '../approvals/queries.ts';
import type { CatalogueNames } from '../catalogue/catalogueNames.ts';
import type { HeldItem } from '../queues/leaseMutations.ts';
import { entryKey, type InboxEntry, searchOf } from './inboxEntry.ts';
import { Expiry } from './Question.tsx';
import type { ListedQuestion } from './queries.ts';
import { INBOX } from './words.ts';

const words = INBOX;

interface InboxRow {
  entry: InboxEntry;
  title: string;
  about: ReactNode;
  beside?: ReactNode;
}

interface InboxListProps {
  title: string;
  rows: readonly InboxRow[];
  isRead: boolean;
  isBounded: boolean;
  chosen: string | undefined;
  search: SearchOf<'/frame/inbox'>;
  /** `byKey`: the entry was chosen with Enter. */
  onChoose: (entry: InboxEntry, byKey: boolean) => void;
  tools?: ReactNode;
  around: (rows: ReactNode) => ReactNode;
}

export function InboxList(props: InboxListProps) {
  const { title, rows, isRead, isBounded, chosen, search, onChoose, tools, around } = props;
  const id = useId();
  const choose = (entry: InboxEntry) => (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onChoose(entry, event.detail === 0);
  };
  return (
    <section aria-labelledby={id} className="inbox-list">
      <div className="inbox-head">
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {isRead && (
          <Badge variant="default" aria-hidden>
            {rows.length}
            {isBounded ? '+' : ''}
          </Badge>
        )}
      </div>
      {tools}
      {around(
        <ul aria-labelledby={id}>
          {rows.map(({ entry, title: name, about, beside }) => (
            <li key={entryKey(entry)}>
              <Link
                to="/inbox"
                search={searchOf(entry, search)}
                className="inbox-row"
                data-entry={entryKey(entry)}
                aria-current={entryKey(entry) === chosen ? 'true' : undefined}
                onClick={choose(entry)}
              >
                <span className="inbox-name">{name}</span>
                <span className="inbox-beside">{beside}</span>
                <Text span size="sm" className="inbox-about">
                  {about}
                </Text>
              </Link>
            </li>
          ))}
        </ul>,
      )}
    </section>
  );
}

export function questionRow(question: ListedQuestion): InboxRow {
  const { executionId, stepId, title, label, executionName, executionNumber, iteration, approvals, expiresAt } =
    question;
  const place = iteration.at(-1);
  const notes = [
    `${executionName} #${executionNumber}`,
    ...(place === undefined ? [] : [words.iteration(place.index, place.total)]),
    ...(approvals.required > 1 ? [words.approvalsGiven(approvals.given, approvals.required)] : []),
  ];
  return {
    entry: { kind: 'question', executionId, stepId },
    title: title ?? label,
    about: (
      <>
        {notes.join(' · ')}
        {expiresAt !== undefined && (
          <>
            {' · '}
            <Expiry at={expiresAt} />
          </>
        )}
      </>
    ),
    beside: <Moment at={question.requestedAt} />,
  };
}

export function approvalRow(
  { id, name, agent, pendingApprovals = [], lastActivityAt }: AskingTask,
  toolName: CatalogueNames['toolName'],
): InboxRow {
  const tools = pendingApprovals.map((call) => toolName(call.toolName));
  return {
    entry: { kind: 'approval', taskId: id },
    title: words.approvalOf(tools.length === 1 ? (tools[0] ?? '') : words.calls(tools.length), agent?.name ?? ''),
    about: name ?? words.approval.noTask,
    beside: <Moment at={lastActivityAt} />,
  };
}

export function itemRow({ queueId, itemId, queueName, name, expiresAt, isLost }: HeldItem): InboxRow {
  return {
    entry: { kind: 'item', queueId, itemId },
    title: name,
    about: queueName,
    beside: isLost ? WORDS.expired : <Countdown at={expiresAt} />,
  };
}
