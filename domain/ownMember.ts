/** A key of data, and the id of a node, may be `constructor` or `__proto__`: only an object's own members are theirs. */
export function ownMember<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** `__proto__` is a key like any other: an assignment would set the prototype. */
export function setKey<T>(target: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  } else {
    target[key] = value;
  }
}
