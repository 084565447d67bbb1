import { Button, Group } from '@mantine/core';
import { usePageKeys } from '../../../ui/keys/pageKeys.ts';
import type { Axis, Span } from './timeAxis.ts';
import { around, isSame, moved, type Stretch, zoomed } from './timeZoom.ts';
import { TIMELINE } from './words.ts';

const words = TIMELINE;

interface TimelineToolsProps {
  whole: Axis;
  stretch: Stretch;
  chosen: Span | undefined;
  onStretch: (stretch: Stretch) => void;
}

export function TimelineTools({ whole, stretch, chosen, onStretch }: TimelineToolsProps) {
  const step = chosen === undefined ? stretch : around(whole, chosen);
  usePageKeys([
    { key: 'z', does: words.key.step, act: () => onStretch(isSame(step, stretch) ? undefined : step) },
    {
      key: 'Escape',
      does: words.key.whole,
      act: stretch === undefined ? undefined : () => onStretch(undefined),
    },
  ]);
  const button = (label: string, to: Stretch) => {
    const isEnd = isSame(to, stretch);
    return (
      // Only aria-disabled at the end of the range, so that the button keeps the focus.
      <Button
        size="compact-sm"
        variant="default"
        aria-disabled={isEnd}
        style={isEnd ? { opacity: 0.4 } : undefined}
        onClick={isEnd ? undefined : () => onStretch(to)}
      >
        {label}
      </Button>
    );
  };
  return (
    <Group gap="xs" mb="xs" role="group" aria-label={words.zoom}>
      {button(words.toStep, step)}
      {button(words.in, zoomed(whole, stretch, 'in'))}
      {button(words.out, zoomed(whole, stretch, 'out'))}
      {button(words.earlier, moved(whole, stretch, 'earlier'))}
      {button(words.later, moved(whole, stretch, 'later'))}
      {button(words.whole, undefined)}
    </Group>
  );
}
