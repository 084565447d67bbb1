import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'run' | 'wait' | 'ask' | 'good' | 'bad';

interface ChipProps {
  tone: Tone;
  icon?: Icon;
  title?: string;
  children: ReactNode;
}

export function Chip({ tone, icon: Shown, title, children }: ChipProps) {
  return (
    <span className="state" data-tone={tone} title={title}>
      {Shown !== undefined && <Shown size={14} aria-hidden />}
      {children}
    </span>
  );
}
