/** The person who wants notifications in this browser, by id: who logs in next is not taken for them. */
const CHOICE = 'notices';
/** Tasks whose turns were begun in this browser, `<agentId>/<taskId>`, the newest last. */
const TURNS = 'notices:turns';
const MAX_TURNS = 100;

/** Whether this browser can show notifications to pages at all; it cannot where they came by plain http. */
export const canNotify = () => 'Notification' in globalThis && isSecureContext;

/** Whether the person turned them on here and the browser still lets us. */
export const wantsNotices = (userId: string) =>
  canNotify() && localStorage.getItem(CHOICE) === userId && Notification.permission === 'granted';

export function wantNotices(userId: string): void {
  localStorage.setItem(CHOICE, userId);
}

/** When they are turned off, and when a session ends. */
export function forgetNotices(): void {
  localStorage.removeItem(CHOICE);
  localStorage.removeItem(TURNS);
}

/** Notes that the person began a turn, so that its end is theirs to hear of. */
export function turnBegun(agentId: string, taskId: string): void {
  if (localStorage.getItem(CHOICE) === null) return;
  const turn = `${agentId}/${taskId}`;
  const others = begunTurns().filter((each) => each !== turn);
  localStorage.setItem(TURNS, JSON.stringify([...others, turn].slice(-MAX_TURNS)));
}

export const isOwnTurn = (agentId: string, taskId: string) => begunTurns().includes(`${agentId}/${taskId}`);

function begunTurns(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(TURNS) ?? '[]');
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
  } catch {
    // Whatever wrote there: these are no turns.
    return [];
  }
}
