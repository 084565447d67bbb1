const PLURALS = new Intl.PluralRules('en');

/** Formats `3 executions`, `1 execution`. */
export function counted(count: number, one: string, many: string): string {
  const number = count.toLocaleString('en');
  return `${number} ${PLURALS.select(count) === 'one' ? one : many}`;
}
