import { AsyncLocalStorage } from 'node:async_hooks';

const RealDate = Date;

/** The clock of the case that the current work belongs to; epoch milliseconds. */
const clocks = new AsyncLocalStorage<() => number>();

export function atTime<T>(clock: () => number, work: () => T): T {
  return clocks.run(clock, work);
}

/** Makes `Date` follow `atTime`, in a process that only runs workflow tests: the product's own code reads `Date`. */
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
