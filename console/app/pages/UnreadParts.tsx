import { Alert, Button, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Query } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { useEffect, useState } from 'react';
import { isAwayProblem, isBusyProblem } from '../../ui/notices.tsx';
import { isSaid, onSaid } from '../../ui/problem/ProblemAlert.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { QUERIES } from '../api/queries.ts';

const TITLE = 'Part of this page could not be loaded';

/** A part that reports its own problem does so within this time. */
const AFTER_MS = 300;

/** The banner reports an unreachable API, and a part reports its own refusal (4xx). */
const isUnsaid = ({ state: { error } }: Query) =>
  error !== null &&
  !(isProblem(error) && error.status < 500 && error.status !== 429) &&
  !isAwayProblem(error) &&
  !isSaid(error);

/** Reports that parts of the page are missing or outdated, if they do not report it themselves. */
export function UnreadParts() {
  const [unread, setUnread] = useState<Query[]>([]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      timer = undefined;
      const found = QUERIES.getQueryCache().findAll({ type: 'active', predicate: isUnsaid });
      setUnread((before) => (found.length === 0 && before.length === 0 ? before : found));
    };
    const soon = () => {
      timer ??= setTimeout(look, AFTER_MS);
    };
    soon();
    const ends = [QUERIES.getQueryCache().subscribe(soon), onSaid(soon)];
    return () => {
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, []);
  return (
    <div role="status">
      {unread.length > 0 && (
        <Alert
          mb="md"
          color="yellow"
          icon={<IconAlertTriangle aria-hidden />}
          title={TITLE}
          styles={{ title: { color: 'var(--ink-ask)' }, message: { color: 'var(--mantine-color-text)' } }}
        >
          {unread.every(({ state }) => isBusyProblem(state.error)) && <Text size="sm">{WORDS.problem.awayRead}</Text>}
          <Button
            mt="xs"
            size="xs"
            variant="default"
            onClick={() => {
              for (const { queryKey } of unread) void QUERIES.refetchQueries({ queryKey, exact: true });
            }}
          >
            {WORDS.retryLoad}
          </Button>
        </Alert>
      )}
    </div>
  );
}
