import { Center, Loader } from '@mantine/core';
import { WORDS } from '../words/en.ts';

/** While something is read; its place is as high as what comes. */
export function Loading({ height = 200 }: { height?: number }) {
  return (
    <Center mih={height} role="status">
      <Loader aria-hidden />
      <span className="aloud">{WORDS.loading}</span>
    </Center>
  );
}
