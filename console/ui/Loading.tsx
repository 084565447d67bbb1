import { Center, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { WORDS } from './words/words.ts';

const SLOW_MS = 4_000;

/** A placeholder of the expected height. After a few seconds it shows that loading takes long. */
export function Loading({ height = 200 }: { height?: number }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Center mih={height} role="status" style={{ gap: '0.75rem' }}>
      <Loader aria-hidden />
      <span className={isSlow ? undefined : 'aloud'}>{isSlow ? WORDS.slow : WORDS.loading}</span>
    </Center>
  );
}
