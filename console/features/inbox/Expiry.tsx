import { useNow } from '../../ui/time/clock.ts';
import { Countdown } from '../../ui/time/Moment.tsx';
import { useAbsoluteTime } from '../../ui/time/useAbsoluteTime.ts';
import { INBOX } from './words.ts';

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
