import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Within so many pixels of its end a page counts as read to its end. */
const NEAR_PX = 120;

const distance = () => document.documentElement.scrollHeight - innerHeight - scrollY;

/** Keeps the page at its end while it grows, as long as the person is there; whoever reads above is left alone. */
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
      // What grew since the page was moved to its end, or became shorter, moved no reader: only a reader goes up.
      const wentUp = scrollY < lastY && height >= lastHeight;
      if (distance() < NEAR_PX) sticks.current = true;
      else if (wentUp) sticks.current = false;
      lastY = scrollY;
      lastHeight = height;
      setAway(!sticks.current);
    };
    addEventListener('scroll', look, { passive: true });
    // What is loaded late, such as markdown, makes the page longer too.
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
