import { type ComponentType, lazy } from 'react';
import { isAway, untilThere } from './liveness.ts';

/** The message by which the router recognises a failed import of code or styles. */
const NOT_LOADED = 'Failed to fetch dynamically imported module';

/** Whether a file could not be loaded. Files of a replaced build never load again. */
export const isNotLoaded = (error: unknown) => error instanceof TypeError && error.message === NOT_LOADED;

/**
 * Loads a part of the console at its first use, and waits while the API, which serves it, is unreachable. Some browsers
 * cache a failed import until the document is reloaded; then it throws a TypeError.
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

/** A component of such a part. */
export const lazyPart = <Part, Props>(load: () => Promise<Part>, component: (part: Part) => ComponentType<Props>) =>
  lazy(async () => ({ default: component(await loaded(load)) }));
