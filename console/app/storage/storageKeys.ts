/** All keys of a storage, in a list that stays as it is while some are removed. */
export const storageKeys = (storage: Pick<Storage, 'key' | 'length'>): string[] =>
  Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');
