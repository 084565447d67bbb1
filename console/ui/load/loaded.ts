import { type ComponentType, lazy } from 'react';
import { isAway, untilThere } from './liveness.ts';

/** By this message the router knows it, be it for code or for styles. */
const NOT_LOADED = 'Failed to fetch dynamically imported module';

/** Whether a part has not come: of a build that was replaced, none comes any more. */
export const isNotLoaded = (error: unknown) => error instanceof TypeError && error.message === NOT_LOADED;

/**
 * A part of the console that comes with its first use. While the API, which serves it, is away, it is waited for. Not every
 * browser asks again for what it has asked for in vain, as long as the page stands: then a new document is needed.
 */
export async function loaded<Part>(load: () => Promise<Part>): Promise<Part> {
  if (isAway()) await untilThere();
  try {
    return await load();
  } catch {
    await untilThere();
  }
  try {
    return await load();
  } catch (error) {
    throw new TypeError(NOT_LOADED, { cause: error });
  }
}

/** A component of a part of the console that comes with its first use. */
export const lazyPart = <Part, Props>(load: () => Promise<Part>, component: (part: Part) => ComponentType<Props>) =>
  lazy(async () => ({ default: component(await loaded(load)) }));
