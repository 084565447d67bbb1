import { Button, type ButtonProps } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { failed } from './notices.tsx';
import { WORDS } from './words/words.ts';

export function CopyText({ text, label, size = 'sm' }: { text: string; label: string; size?: ButtonProps['size'] }) {
  const [isCopied, setCopied] = useState(false);
  const Icon = isCopied ? IconCheck : IconCopy;
  return (
    <Button
      size={size}
      variant="default"
      leftSection={<Icon size={16} aria-hidden />}
      onClick={() => copyText(text).then(() => setCopied(true), failed)}
      onBlur={() => setCopied(false)}
    >
      {isCopied ? WORDS.copied : label}
    </Button>
  );
}

/** Pages served over plain http have no clipboard API: there the text is selected and copied with `execCommand`. */
export async function copyText(text: string): Promise<void> {
  // Can be undefined, contrary to its type.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard !== undefined) return clipboard.writeText(text);
  const before = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'aloud';
  // Inside the open dialog, which traps the focus.
  (before?.closest('[role=dialog]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!isCopied) throw new Error('The browser does not let this page copy: select the text, and copy it by hand.');
}
