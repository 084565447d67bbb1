const LOCK = 'perdure in sight';

/** Holds a lock that other tabs of this browser can see while this tab is visible, until the signal is aborted. */
export function announceVisibleTab(signal: AbortSignal): void {
  let hide: (() => void) | undefined;
  const change = () => {
    hide?.();
    hide = undefined;
    if (signal.aborted || document.visibilityState !== 'visible') return;
    const hidden = new Promise<void>((resolve) => {
      hide = resolve;
    });
    void navigator.locks.request(LOCK, { mode: 'shared' }, () => hidden);
  };
  document.addEventListener('visibilitychange', change);
  signal.addEventListener('abort', () => {
    document.removeEventListener('visibilitychange', change);
    change();
  });
  change();
}

export async function isAnyTabVisible(): Promise<boolean> {
  if (document.visibilityState === 'visible') return true;
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === LOCK);
}
