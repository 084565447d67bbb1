import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where this person's machine keeps what is fetched or made once. */
export function cacheFolder({ XDG_CACHE_HOME }: NodeJS.ProcessEnv): string {
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'perdure');
}
