/** Thrown by what the fence has taken away. The code is that of Node's permission model. */
export function refusalOf(name: string): () => never {
  return () => {
    throw Object.assign(new Error(`${name} is not available in the runner`), { code: 'ERR_ACCESS_DENIED' });
  };
}

export function replace(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: true, enumerable: true, writable: true });
}
