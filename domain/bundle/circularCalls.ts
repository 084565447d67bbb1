/** Returns the resources that `id` calls and that call it back, directly or through others. */
export function circularCalls(calls: ReadonlyMap<string, readonly string[]>, id: string): Set<string> {
  return new Set((calls.get(id) ?? []).filter((called) => reaches(calls, called, id)));
}

function reaches(calls: ReadonlyMap<string, readonly string[]>, from: string, to: string): boolean {
  const seen = new Set([from]);
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === to) return true;
    for (const next of calls.get(at) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(next);
    }
  }
  return false;
}
