import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns the user's folder for files that are fetched or created once. */
export function cacheFolder({ XDG_CACHE_HOME }: NodeJS.ProcessEnv): string {
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'perdure');
}
