import { browserTexts, STORED } from './browserStorage.ts';

/** Holds the id of the person who wants notifications in this browser. */
const CHOICE = STORED.notices.key;
/** Holds the tasks whose turns began in this browser, `<agentId>/<taskId>`, the newest last. */
const TURNS = STORED.noticeTurns.key;
const MAX_TURNS = 100;

/** Whether this page can show notifications; pages over plain HTTP cannot. */
export const canNotify = () => 'Notification' in globalThis && isSecureContext;

/** Whether the person turned notifications on here and the browser still allows them. */
export const wantsNotices = (userId: string) =>
  canNotify() && browserTexts().getItem(CHOICE) === userId && Notification.permission === 'granted';

export function wantNotices(userId: string): void {
  browserTexts().setItem(CHOICE, userId);
}

export function forgetNotices(): void {
  browserTexts().removeItem(CHOICE);
  browserTexts().removeItem(TURNS);
}

export function turnBegun(agentId: string, taskId: string): void {
  if (browserTexts().getItem(CHOICE) === null) return;
  const turn = `${agentId}/${taskId}`;
  const others = begunTurns().filter((each) => each !== turn);
  browserTexts().setItem(TURNS, JSON.stringify([...others, turn].slice(-MAX_TURNS)));
}

export const isOwnTurn = (agentId: string, taskId: string) => begunTurns().includes(`${agentId}/${taskId}`);

function begunTurns(): string[] {
  try {
    const stored: unknown = JSON.parse(browserTexts().getItem(TURNS) ?? '[]');
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
  } catch {
    // Something else wrote it.
    return [];
  }
}
