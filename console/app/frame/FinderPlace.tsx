import { ActionIcon, Button, Paper } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Suspense, useRef, useState } from 'react';
import { holdKeys } from '../../ui/keys/heldKeys.ts';
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
