import { ActionIcon } from '@mantine/core';
import { IconArrowsMaximize } from '@tabler/icons-react';
import { type ReactNode, Suspense, useRef, useState } from 'react';
import { lazyPart } from '../load/lazyPart.ts';
import { WORDS } from '../words/words.ts';

const FullScreen = lazyPart(() => import('./FullScreen.tsx'), 'FullScreen');

interface FullScreenButtonProps {
  title: string;
  size: number;
  /** Builds the editor at each opening. */
  children: () => ReactNode;
}

/** Opens an editor over the whole window, and takes the focus back when it closes. */
export function FullScreenButton({ title, size, children }: FullScreenButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <ActionIcon
        ref={button}
        variant="subtle"
        color="gray"
        size={size}
        className="code-full"
        aria-label={WORDS.fullScreen}
        title={WORDS.fullScreen}
        onClick={() => setOpen(true)}
      >
        <IconArrowsMaximize size={14} aria-hidden />
      </ActionIcon>
      {isOpen && (
        <Suspense fallback={null}>
          <FullScreen
            title={title}
            onClose={() => {
              setOpen(false);
              // After the dialog has given up the focus.
              requestAnimationFrame(() => button.current?.focus());
            }}
          >
            {children()}
          </FullScreen>
        </Suspense>
      )}
    </>
  );
}
