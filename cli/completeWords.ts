import type { CommandSpec, OptionSpec } from './commandSpec.ts';

export interface Completion {
  words: string[];
  /** A placeholder: `workflow`, `status`, `context`. */
  kind?: string;
}

/** Completes commands, then names of their arguments; after a dash options, and then their values. */
export function completeWords(
  words: readonly string[],
  commands: readonly CommandSpec[],
  globalOptions: readonly OptionSpec[],
): Completion {
  const begun = words.at(-1) ?? '';
  const command = commandOf(words.slice(0, -1), commands);
  const options = [...(command?.options ?? []), ...globalOptions];
  const { plain, open } = read(words.slice(0, -1), options);
  if (open !== undefined) return { words: [], kind: open };
  if (begun.startsWith('-')) return { words: beginning(begun, options.map(nameOf)) };
  const next = commands.flatMap(({ name }) => {
    const parts = name.split(' ');
    const isBelow = plain.every((word, index) => parts[index] === word);
    return isBelow && parts.length > plain.length ? [parts[plain.length] as string] : [];
  });
  if (next.length > 0 || command === undefined) return { words: beginning(begun, next) };
  const argument = command.arguments?.[plain.length - command.name.split(' ').length]?.name;
  const kind = argument === undefined ? undefined : placeholderOf(argument);
  return kind === undefined ? { words: [] } : { words: [], kind };
}

function commandOf(words: readonly string[], commands: readonly CommandSpec[]): CommandSpec | undefined {
  const plain = words.filter((word) => !word.startsWith('-'));
  return commands.find(({ name }) => name.split(' ').every((part, index) => plain[index] === part));
}

/** Returns words other than options and their values; `open` is the placeholder of an option without its value. */
function read(words: readonly string[], options: readonly OptionSpec[]): { plain: string[]; open?: string } {
  const plain: string[] = [];
  let open: string | undefined;
  for (const word of words) {
    if (open !== undefined) open = undefined;
    else if (word.startsWith('-')) {
      const option = options.find(({ flags }) => flags.split(/[ ,]+/).includes(word));
      open = option && placeholderOf(option.flags);
    } else plain.push(word);
  }
  return open === undefined ? { plain } : { plain, open };
}

function placeholderOf(text: string): string | undefined {
  return /[<[](\w+)[>\]]/.exec(text)?.[1];
}

function nameOf({ flags }: OptionSpec): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? '';
}

function beginning(begun: string, words: readonly string[]): string[] {
  return [...new Set(words)].filter((word) => word.startsWith(begun)).sort();
}
