import { useEffect, useRef } from 'react';
import { isPageKey } from '../../ui/keys/pageKeys.ts';

interface InboxKeys {
  chosen: string | undefined;
  onSkip: () => void;
  onClaim: () => void;
}

/** s skips, c claims, Esc moves the focus from the form to its list entry; all lists share j, k and Enter. */
export function useInboxKeys(keys: InboxKeys): void {
  const newest = useRef(keys);
  newest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const { chosen, onSkip, onClaim } = newest.current;
      if (event.key === 'Escape' && chosen !== undefined) {
        document.querySelector<HTMLElement>(`[data-entry="${CSS.escape(chosen)}"]`)?.focus();
      }
      if (!isPageKey(event)) return;
      if (event.key === 's') onSkip();
      else if (event.key === 'c') onClaim();
      else return;
      // The letter must not be written into the field that gets the focus.
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
