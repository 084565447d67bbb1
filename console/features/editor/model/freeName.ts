export function freeName(names: readonly unknown[], wish: string): string {
  const taken = new Set(names);
  for (let count = names.length + 1; ; count += 1) if (!taken.has(`${wish}${count}`)) return `${wish}${count}`;
}
