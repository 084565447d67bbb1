import { useSyncExternalStore } from 'react';

function subscribe(read: () => void): () => void {
  document.addEventListener('visibilitychange', read);
  return () => document.removeEventListener('visibilitychange', read);
}

export function useVisible(): boolean {
  return useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');
}
