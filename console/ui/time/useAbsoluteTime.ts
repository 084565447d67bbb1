import { absoluteTime } from './times.ts';
import { useZone } from './timeZone.ts';

/** Says milliseconds since the epoch, or a time of the API, as a whole time in the zone that the person chose; '' for none. */
export function useAbsoluteTime(): (at: number | string | null | undefined) => string {
  const zone = useZone();
  return (at) => {
    if (at === null || at === undefined) return '';
    return absoluteTime(typeof at === 'number' ? at : Date.parse(at), zone);
  };
}
