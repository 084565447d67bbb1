import { Button, type ButtonProps } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { copyText } from './copyText.ts';
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
