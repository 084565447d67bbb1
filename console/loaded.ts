import { type ComponentType, lazy } from 'react';
import { isAway, untilThere } from './live/liveness.ts';

/**
 * A part of the console that comes with its first use. While the API, which serves it, is away, it is waited for: what a
 * browser has asked for in vain it may not ask for again as long as the page stands.
 */
export async function loaded<Part>(load: () => Promise<Part>): Promise<Part> {
  if (isAway()) await untilThere();
  try {
    return await load();
  } catch (error) {
    await untilThere();
    // By this message the router knows that a new document is needed, be it for code or for styles.
    throw new TypeError('Failed to fetch dynamically imported module', { cause: error });
  }
}

/** A component of a part of the console that comes with its first use. */
export const lazyPart = <Part, Props>(load: () => Promise<Part>, component: (part: Part) => ComponentType<Props>) =>
  lazy(async () => ({ default: component(await loaded(load)) }));
