import type { LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';

type Answer = Parameters<Parameters<LookupFunction>[2]>;

const MAX_FAILURES = 1_000;

/**
 * The system resolves about two names at a time and takes many seconds for dead servers, so a hundred requests for such
 * a name would delay all others. So simultaneous requests share a lookup, and a failed one is not repeated for
 * `failureKeptMs`. Results are not cached, and each request checks its own.
 */
export function shareLookups(lookup: LookupFunction, failureKeptMs = 5_000): LookupFunction {
  const underWay = new Map<string, ((...answer: Answer) => void)[]>();
  const failures = new LRUCache<string, NodeJS.ErrnoException>({ max: MAX_FAILURES, ttl: failureKeptMs });

  return (hostname, options, callback) => {
    const { family, hints, all, order, verbatim } = options;
    const key = JSON.stringify([hostname, family, hints, all, order, verbatim]);
    const failure = failures.get(key);
    // Never synchronous, because callers of a resolver do not expect that.
    if (failure) return void process.nextTick(callback, failure, '');
    const others = underWay.get(key);
    if (others) return void others.push(callback);

    const waiting = [callback];
    underWay.set(key, waiting);
    const tellAll: typeof callback = (error, found, foundFamily) => {
      underWay.delete(key);
      if (error) failures.set(key, error);
      // Each receives its own copy, so that nobody can change a list that another has checked.
      const own = () => (Array.isArray(found) ? found.map((each) => ({ ...each })) : found);
      for (const tell of waiting) tell(error, own(), foundFamily);
    };
    try {
      lookup(hostname, options, tellAll);
    } catch (wrongOptions) {
      underWay.delete(key);
      throw wrongOptions;
    }
  };
}
