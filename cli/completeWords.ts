import type { CommandSpec, OptionSpec } from './commandSpec.ts';

/** What may stand at the place of the last word, which has been begun: commands, then options. */
export function completeWords(
  words: readonly string[],
  commands: readonly CommandSpec[],
  globalOptions: readonly OptionSpec[],
): string[] {
  const begun = words.at(-1) ?? '';
  const before = words.slice(0, -1).filter((word) => !word.startsWith('-'));
  const command = commands.find(({ name }) => name.split(' ').every((part, index) => before[index] === part));
  const options = [...(command?.options ?? []), ...globalOptions].map(({ flags }) => /--[\w-]+/.exec(flags)?.[0] ?? '');
  const next = commands.flatMap(({ name }) => {
    const parts = name.split(' ');
    const isBelow = before.every((word, index) => parts[index] === word);
    return isBelow && parts.length > before.length ? [parts[before.length] as string] : [];
  });
  const all = begun.startsWith('-') ? options : next;
  return [...new Set(all)].filter((word) => word.startsWith(begun)).sort();
}
