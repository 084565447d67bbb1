import { Command, CommanderError, Option } from 'commander';
import { type CommandSpec, type OptionSpec, Options } from './commandSpec.ts';
import { EXIT, exitCodeOf } from './exitCode.ts';
import { Output } from './output.ts';
import type { Place } from './place.ts';

/** Runs a command line and returns its exit code. It never throws. */
export async function runProgram(
  words: readonly string[],
  commands: readonly CommandSpec[],
  groups: Readonly<Record<string, string>>,
  globalOptions: readonly OptionSpec[],
): Promise<number> {
  let exitCode: number = EXIT.done;
  const program = new Command('perdure')
    .description('Workflows that are never lost. See `perdure <command> --help`.')
    .exitOverride()
    .showSuggestionAfterError()
    .helpCommand(true);
  for (const spec of commands) {
    const command = place(program, spec.name.split(' '), groups);
    command.summary(spec.summary).description(spec.summary).exitOverride();
    for (const { name, summary } of spec.arguments ?? []) command.argument(name, summary);
    for (const each of [...(spec.options ?? []), ...globalOptions]) command.addOption(optionOf(each));
    command.addHelpText('after', `\nExamples:\n${spec.examples.map((example) => `  ${example}`).join('\n')}`);
    command.action(async (...given: unknown[]) => {
      const values = command.opts() as Record<string, unknown>;
      exitCode = await invoke(spec, given.slice(0, spec.arguments?.length ?? 0), values);
    });
  }
  try {
    await program.parseAsync([...words], { from: 'user' });
    return exitCode;
  } catch (error) {
    // commander has already printed the mistake, or the requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    throw error;
  }
}

/** Returns the command below its group, creating the group for its first command. */
function place(parent: Command, [name, ...rest]: string[], groups: Readonly<Record<string, string>>): Command {
  const found = parent.commands.find((each) => each.name() === name);
  const command = found ?? parent.command(name as string).exitOverride();
  if (rest.length === 0) return command;
  if (!found) command.description(groups[name as string] ?? '');
  return place(command, rest, groups);
}

function optionOf({ flags, summary, many }: OptionSpec): Option {
  const option = new Option(flags, summary);
  return many ? option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]) : option;
}

async function invoke(spec: CommandSpec, given: unknown[], values: Record<string, unknown>): Promise<number> {
  const options = new Options(values);
  const form = options.isSet('jsonl') ? 'jsonl' : options.isSet('json') ? 'json' : 'people';
  const hasColor = !options.isOff('color') && !process.env.NO_COLOR && process.stdout.isTTY === true;
  const out = new Output(form, { isQuiet: options.isSet('quiet'), hasColor });
  const interrupted = new AbortController();
  // A second Ctrl-C ends the process immediately.
  const stop = () => interrupted.abort();
  if (spec.name !== 'start') process.once('SIGINT', stop);
  let placed: Promise<Place> | undefined;
  try {
    const handler = await spec.load();
    return await handler({
      arguments: given.map((each) => (typeof each === 'string' ? each : undefined)),
      options,
      out,
      signal: interrupted.signal,
      place() {
        placed ??= placeBy(options);
        return placed;
      },
    });
  } catch (error) {
    if (interrupted.signal.aborted) {
      out.note('Interrupted. Work on the server continues.');
      return EXIT.interrupted;
    }
    out.failure(error);
    return exitCodeOf(error);
  } finally {
    process.off('SIGINT', stop);
  }
}

/** Loads the client lazily: help, completion and offline commands do not need it. */
async function placeBy(options: Options): Promise<Place> {
  const { placeOf } = await import('./place.ts');
  const { withProjectId } = await import('./findByName.ts');
  return withProjectId(await placeOf({ context: options.text('context'), project: options.text('project') }));
}
