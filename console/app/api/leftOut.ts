/**
 * The answer, with each of these values that it has but as a link (`nodesLink`), since all would not fit it. `readOne` asks
 * for one of them alone, which the API always answers whole.
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
