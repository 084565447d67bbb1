import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Within this distance, the page counts as scrolled to its end. */
const NEAR_PX = 120;

const distance = () => document.documentElement.scrollHeight - innerHeight - scrollY;

/** Keeps a growing page scrolled to its end, unless the person has scrolled up. */
export function useStickToEnd(content: unknown) {
  const sticks = useRef(true);
  const [isAway, setAway] = useState(false);
  const toEnd = useCallback(() => {
    sticks.current = true;
    scrollTo({ top: document.documentElement.scrollHeight });
  }, []);
  useEffect(() => {
    let lastY = scrollY;
    let lastHeight = document.documentElement.scrollHeight;
    const look = () => {
      const height = document.documentElement.scrollHeight;
      // Content that grows or shrinks also changes the distance to the end, but only a person scrolls up.
      const wentUp = scrollY < lastY && height >= lastHeight;
      if (distance() < NEAR_PX) sticks.current = true;
      else if (wentUp) sticks.current = false;
      lastY = scrollY;
      lastHeight = height;
      setAway(!sticks.current);
    };
    addEventListener('scroll', look, { passive: true });
    const grown = new ResizeObserver(() => {
      if (sticks.current) toEnd();
    });
    grown.observe(document.body);
    return () => {
      removeEventListener('scroll', look);
      grown.disconnect();
    };
  }, [toEnd]);
  useLayoutEffect(() => {
    if (sticks.current) toEnd();
  }, [content, toEnd]);
  return { isAway, toEnd };
}
