import { Button, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { done } from '../../ui/notices/notices.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { useAbsoluteTime } from '../../ui/time/useAbsoluteTime.ts';
import { WorkButton } from '../../ui/WorkButton.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { endOtherSessions, endSession, refreshSessions } from './mutations.ts';
import { type Session, sessionPages } from './queries.ts';
import { ACCOUNT } from './words.ts';

const words = ACCOUNT;

export function Sessions() {
  const pages = useInfiniteQuery(sessionPages());
  const [isAsking, setAsking] = useState(false);
  const rows = pages.data?.pages.flatMap((page) => page.rows) ?? [];
  const absoluteTime = useAbsoluteTime();
  const end = async ({ id }: Session) => {
    await endSession(id);
    done(words.ended(1));
  };
  const columns: Column<Session>[] = [
    {
      key: 'began',
      header: words.columns.began,
      cell: ({ createdAt, isCurrent }) => (
        <>
          <Moment at={createdAt} /> {isCurrent && <Chip tone="good">{words.thisOne}</Chip>}
        </>
      ),
    },
    { key: 'used', header: words.columns.used, cell: ({ refreshedAt }) => <Moment at={refreshedAt} /> },
    { key: 'network', header: words.columns.network, cell: ({ network }) => network ?? WORDS.none },
    { key: 'expires', header: words.columns.expires, cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
    {
      key: 'acts',
      card: 'corner',
      header: <span className="aloud">{WORDS.actions}</span>,
      className: 'acts',
      cell: (session) =>
        !session.isCurrent && (
          <WorkButton
            size="compact-sm"
            variant="default"
            aria-label={words.endOf(absoluteTime(session.createdAt))}
            onAct={() => end(session)}
          >
            {words.end}
          </WorkButton>
        ),
    },
  ];
  return (
    <Stack gap="sm">
      <Text size="sm">{words.sessionsMean}</Text>
      <Listing pages={pages} empty={WORDS.none}>
        <DataTable label={words.sessions} columns={columns} rows={rows} />
      </Listing>
      {rows.length > 1 && (
        <Button variant="default" style={{ alignSelf: 'start' }} onClick={() => setAsking(true)}>
          {words.endOthers}
        </Button>
      )}
      {isAsking && (
        <ActDialog
          title={words.endOthersTitle}
          means={words.endOthersMeans}
          button={words.endOthers}
          isDangerous
          onAct={async () => {
            const count = await endOtherSessions();
            await refreshSessions();
            done(count === 0 ? words.noOthers : words.ended(count));
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Stack>
  );
}
