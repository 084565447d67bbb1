import { type ComponentType, lazy } from 'react';
import { isAway, untilThere } from './liveness.ts';

/** The message by which the router recognises a failed import of code or styles. */
const NOT_LOADED = 'Failed to fetch dynamically imported module';

/** Whether a file could not be loaded. Files of a replaced build never load again. */
export const isNotLoaded = (error: unknown) => error instanceof TypeError && error.message === NOT_LOADED;

/**
 * Waits while the API, which serves the code, is unreachable. Throws a TypeError if it fails again: some browsers cache
 * a failed import until the document is reloaded.
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

type PropsOf<Part> = Part extends ComponentType<infer Props> ? Props : never;

/** The component `name` of a module that is loaded when the component is first rendered. */
export const lazyPart = <Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) =>
  lazy(async () => ({ default: (await loaded(load))[name] as ComponentType<PropsOf<Module[Name]>> }));
