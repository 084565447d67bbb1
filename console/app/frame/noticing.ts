import type { WorkspaceEvent } from 'perdure-client';
import { canNotify, wantsNotices } from '../storage/noticeChoice.ts';
import type { NoticePlace, personNotices } from './personNotices.ts';
import { announceVisibleTab } from './visibleTab.ts';

/** Passes events to the person's notifications. Their code loads once the person has switched them on. */
export function noticing(userId: string, signal: AbortSignal, open: (place: NoticePlace) => void) {
  if (!canNotify()) return () => undefined;
  announceVisibleTab(signal);
  let notices: Promise<ReturnType<typeof personNotices>> | undefined;
  return (event: WorkspaceEvent) => {
    if (!wantsNotices(userId)) return;
    notices ??= import('./personNotices.ts').then((module) => module.personNotices(userId, signal, open));
    notices.then(
      (notify) => notify(event),
      // After a new build the old file is gone: the next event tries again.
      () => {
        notices = undefined;
      },
    );
  };
}
