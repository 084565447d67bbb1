import { Alert } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLive } from '../../ui/load/liveness.ts';
import { WORDS } from '../../ui/words/words.ts';
import { ENDED } from '../session/session.ts';

/** A stream that comes back at once is no news. */
const AFTER_MS = 2_000;

/** Says that the API is away; what was loaded stays on the page. `isUnread`: the person could not be read. */
export function AwayBanner({ isUnread }: { isUnread: boolean }) {
  const live = useLive();
  // Then the stream is not for this page, and the dialog of the login says why.
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
