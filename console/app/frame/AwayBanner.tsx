import { Alert } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLive } from '../../ui/load/liveness.ts';
import { WORDS } from '../../ui/words/words.ts';
import { ENDED } from '../session/session.ts';

/** A shorter interruption of the stream is not reported. */
const AFTER_MS = 2_000;

/** Reports that the API is unreachable; loaded data stays on the page. `isUnread`: the person could not be read. */
export function AwayBanner({ isUnread }: { isUnread: boolean }) {
  const live = useLive();
  // After the session has ended the stream is closed on purpose, and the login dialog explains why.
  const isOver = useSyncExternalStore(ENDED.subscribe, ENDED.get) !== undefined;
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    if (isOver || (live !== false && !isUnread)) return setAway(false);
    const timer = setTimeout(() => setAway(true), AFTER_MS);
    return () => clearTimeout(timer);
  }, [live, isUnread, isOver]);
  return (
    <div role="status">
      {isAway && (
        <Alert
          mb="md"
          color="yellow"
          icon={<IconCloudOff aria-hidden />}
          title={WORDS.problem.away}
          styles={{ title: { color: 'var(--ink-ask)' } }}
        >
          {isUnread ? WORDS.problem.awayRead : WORDS.problem.awayText}
        </Alert>
      )}
    </div>
  );
}
