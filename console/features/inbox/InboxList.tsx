import { Badge, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type MouseEvent, type ReactNode, useId } from 'react';
import type { SearchOf } from '../../ui/search.ts';
import { entryKey, type InboxEntry, searchOf } from './inboxEntry.ts';

export interface InboxRow {
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
