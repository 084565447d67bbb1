import { AsyncLocalStorage } from 'node:async_hooks';

const RealDate = Date;

/** The clock of the case for which this work is done; epoch milliseconds. */
const clocks = new AsyncLocalStorage<() => number>();

/** Runs work for which `Date` tells the time of a clock. */
export function atTime<T>(clock: () => number, work: () => T): T {
  return clocks.run(clock, work);
}

/**
 * Makes `Date` of this process follow `atTime`; outside of it it tells the machine's time, as before. For a process that
 * runs tests of workflows and nothing else: the product's own code, which reads `Date`, then sees the time of its case.
 */
export function installVirtualDate(): () => void {
  const now = () => clocks.getStore()?.() ?? RealDate.now();
  globalThis.Date = new Proxy(RealDate, {
    construct(target, given, newTarget) {
      return Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget);
    },
    apply: () => new RealDate(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
  return () => {
    globalThis.Date = RealDate;
  };
}
