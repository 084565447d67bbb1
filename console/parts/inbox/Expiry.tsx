import { useNow } from '../../live/clock.ts';
import { INBOX } from '../../words/en/inbox.ts';
import { Countdown } from '../Countdown.tsx';
import { useAbsoluteTime } from '../useAbsoluteTime.ts';

/** Until when a question can be answered. */
export function Expiry({ at }: { at: string }) {
  const end = Date.parse(at);
  const absoluteTime = useAbsoluteTime();
  if (useNow() < end) {
    return (
      <>
        {INBOX.expires} <Countdown at={at} />
      </>
    );
  }
  return (
    <time dateTime={at} title={absoluteTime(end)}>
      {INBOX.hasExpired}
    </time>
  );
}
