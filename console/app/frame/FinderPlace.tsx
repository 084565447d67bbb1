import { ActionIcon, Button, Paper } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Suspense, useRef, useState } from 'react';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { WORDS } from '../../ui/words/words.ts';
import type { Permission } from '../api/me.ts';

const Finder = lazyPart(() => import('./Finder.tsx'), 'Finder');

/** The palette with its button and shortcut. Its code loads at its first use. */
export function FinderPlace({ permissions }: { permissions: readonly Permission[] }) {
  const [text, setText] = useState<string>();
  const release = useRef<() => void>(undefined);
  const close = () => {
    release.current?.();
    release.current = undefined;
    setText(undefined);
  };
  const open = () => {
    if (release.current !== undefined) return;
    // Immediately: the next key may come before the first render.
    release.current = holdKeys((change) => setText((now = '') => change(now)), close);
    setText('');
  };
  useHotkeys([['mod+K', open]], []);
  const shared = { variant: 'default', 'aria-keyshortcuts': 'Control+K Meta+K', onClick: open };
  const icon = <IconSearch size={14} aria-hidden />;
  return (
    <>
      <Button {...shared} size="xs" leftSection={icon} visibleFrom="sm">
        {WORDS.navigation.find}
      </Button>
      <ActionIcon {...shared} size={30} hiddenFrom="sm" aria-label={WORDS.navigation.find}>
        {icon}
      </ActionIcon>
      {text !== undefined && (
        <Suspense fallback={<Typed text={text} />}>
          <Finder permissions={permissions} text={text} onText={setText} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

function Typed({ text }: { text: string }) {
  return (
    <Paper role="status" withBorder shadow="md" p="md" className="finder-typed">
      {text === '' ? WORDS.loading : text}
    </Paper>
  );
}

/** The element that receives the keys, with its whole dialog. */
const PLACE = '[data-finder]';

/** Redirects keys to the palette until it has the focus. `write` changes its text, and Escape calls `close`. */
function holdKeys(write: (change: (text: string) => string) => void, close: () => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event;
    if (document.activeElement?.closest(PLACE) != null) return;
    // Ctrl and Alt together type characters on some keyboards.
    if (isComposing || (!(ctrlKey && altKey) && (ctrlKey || metaKey || altKey))) return;
    const characters = [...key];
    // After a click outside, Tab returns to the palette.
    if (key === 'Tab' && document.querySelector(PLACE) !== null) return;
    event.preventDefault();
    event.stopPropagation();
    if (characters.length === 1) write((text) => text + key);
    else if (key === 'Backspace') write((text) => [...text].slice(0, -1).join(''));
    else if (key === 'Escape') close();
  };
  // Before all other listeners of the page.
  window.addEventListener('keydown', onKey, { capture: true });
  return () => window.removeEventListener('keydown', onKey, { capture: true });
}
