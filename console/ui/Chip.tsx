import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'run' | 'wait' | 'ask' | 'good' | 'bad';

interface ChipProps {
  tone: Tone;
  icon?: Icon;
  /** More of it for whoever points at it. */
  title?: string;
  children: ReactNode;
}

/** A few words about a row, as icon, word and colour. */
export function Chip({ tone, icon: Shown, title, children }: ChipProps) {
  return (
    <span className="state" data-tone={tone} title={title}>
      {Shown !== undefined && <Shown size={14} aria-hidden />}
      {children}
    </span>
  );
}
