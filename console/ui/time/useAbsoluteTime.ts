import { absoluteTime } from './times.ts';
import { useZone } from './timeZone.ts';

/** Returns a function that formats epoch milliseconds or a time of the API in the chosen zone; '' for no time. */
export function useAbsoluteTime(): (at: number | string | null | undefined) => string {
  const zone = useZone();
  return (at) => {
    if (at === null || at === undefined) return '';
    return absoluteTime(typeof at === 'number' ? at : Date.parse(at), zone);
  };
}
