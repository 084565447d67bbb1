import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { isProblem } from 'perdure-client';
import { useState } from 'react';
import { Door } from '../../app/pages/Door.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { spendTicket } from './mutations.ts';
import { connectionTicket } from './queries.ts';
import { CONNECTIONS } from './words.ts';

const words = CONNECTIONS;

/** Only a click spends the ticket and opens the OAuth2 provider, because anybody may have sent this address. */
export function Connect() {
  const { ticket, connected, error } = useSearch({ from: '/connect' });
  if (error === 'WRONG_BROWSER') {
    return <Said title={words.ticket.wrongBrowserTitle} text={words.ticket.wrongBrowser} isProblem />;
  }
  if (error !== undefined) {
    return <Said title={words.connect} text={words.errors[error] ?? words.failedWith(error)} isProblem />;
  }
  if (connected !== undefined) return <Said title={words.connectedHere} text={words.ticket.closed} />;
  if (ticket === undefined) return <Said title={words.connect} text={words.ticket.gone} isProblem />;
  return <Ask ticket={ticket} />;
}

function Said({ title, text, isProblem: isBad = false }: { title: string; text: string; isProblem?: boolean }) {
  return (
    <Door>
      <Page title={title}>
        <Text role={isBad ? 'alert' : 'status'}>{text}</Text>
      </Page>
    </Door>
  );
}

function Ask({ ticket }: { ticket: string }) {
  const about = useQuery(connectionTicket(ticket));
  const [problem, setProblem] = useState<unknown>();
  const [isLeaving, setLeaving] = useState(false);
  if (isGone(about.error) || isGone(problem)) return <Said title={words.connect} text={words.ticket.gone} isProblem />;
  const leave = async () => {
    setLeaving(true);
    setProblem(undefined);
    try {
      await spendTicket(ticket);
    } catch (failure) {
      setProblem(failure);
      setLeaving(false);
    }
  };
  return (
    <Door>
      <Page title={about.data === undefined ? words.connect : words.ticket.title(about.data.appName)}>
        {about.isPending && <Loading height={120} />}
        {about.error !== null && <ProblemAlert error={about.error} onRetry={() => void about.refetch()} />}
        {about.data !== undefined && (
          <Stack gap="md" style={{ overflowWrap: 'anywhere' }}>
            <Text>{words.ticket.asks(about.data.askedBy, about.data.workspaceName, about.data.appName)}</Text>
            <Text size="sm">{words.ticket.means(about.data.workspaceName)}</Text>
            {problem !== undefined && <ProblemAlert error={problem} />}
            <Button fullWidth loading={isLeaving} onClick={() => void leave()}>
              {words.ticket.button(about.data.appName)}
            </Button>
          </Stack>
        )}
      </Page>
    </Door>
  );
}

const isGone = (problem: unknown): boolean => isProblem(problem, 'NOT_FOUND');
