/**
 * Reads the values that did not fit in the answer and came as links (`nodesLink`). `readOne` asks for one value alone,
 * which the API always answers in full.
 */
export async function withLeftOut<Name extends string, Read extends { [Key in Name]?: unknown }>(
  answer: Read,
  names: readonly Name[],
  readOne: (name: Name) => Promise<Read>,
): Promise<Read> {
  const missing = names.filter((name) => `${name}Link` in answer);
  const values = await Promise.all(missing.map(async (name) => [name, (await readOne(name))[name]]));
  return { ...answer, ...Object.fromEntries(values) };
}
