/** Reads the values that came as links (`nodesLink`) since all did not fit. `readOne` reads one, which always fits. */
export async function withLeftOut<Name extends string, Read extends { [Key in Name]?: unknown }>(
  answer: Read,
  names: readonly Name[],
  readOne: (name: Name) => Promise<Read>,
): Promise<Read> {
  const missing = names.filter((name) => `${name}Link` in answer);
  const values = await Promise.all(missing.map(async (name) => [name, (await readOne(name))[name]]));
  return { ...answer, ...Object.fromEntries(values) };
}
