import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'run' | 'wait' | 'ask' | 'good' | 'bad';

/** A few words about a row, as icon, word and colour. */
export function Chip({ tone, icon: Shown, children }: { tone: Tone; icon?: Icon; children: ReactNode }) {
  return (
    <span className="state" data-tone={tone}>
      {Shown !== undefined && <Shown size={14} aria-hidden />}
      {children}
    </span>
  );
}
