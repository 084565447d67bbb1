import type { WorkspaceEvent } from 'perdure-client';
import { canNotify, wantsNotices } from '../storage/noticeChoice.ts';
import { keepInSight } from './inSight.ts';
import type { NoticePlace, personNotices } from './personNotices.ts';

/** Gives events to the person's notifications, which are loaded once the person wants some. */
export function noticing(userId: string, signal: AbortSignal, open: (place: NoticePlace) => void) {
  if (!canNotify()) return () => undefined;
  keepInSight(signal);
  let notices: Promise<ReturnType<typeof personNotices>> | undefined;
  return (event: WorkspaceEvent) => {
    if (!wantsNotices(userId)) return;
    notices ??= import('./personNotices.ts').then((module) => module.personNotices(userId, signal, open));
    notices.then(
      (notify) => notify(event),
      // The page was built again since it was loaded: the next event tries once more.
      () => {
        notices = undefined;
      },
    );
  };
}
