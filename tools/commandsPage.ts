import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CommandSpec } from '../cli/commandSpec.ts';
import { COMMANDS } from '../cli/commands.ts';
import { EXECUTION_COMMANDS } from '../cli/specs/executionCommands.ts';
import { PROJECT_COMMANDS } from '../cli/specs/projectCommands.ts';
import { QUEUE_COMMANDS } from '../cli/specs/queueCommands.ts';
import { PROJECT_ROOT } from '../projectRoot.ts';

// `npm run commands` writes the commands into docs/cli.md.

export const COMMANDS_PAGE = join(PROJECT_ROOT, 'docs', 'cli.md');
const PART = /(?<=<!-- commands -->\n).*?(?=<!-- \/commands -->)/s;

const AREAS: readonly (readonly [heading: string, commands: readonly CommandSpec[]])[] = [
  ['Start Perdure and keep a project in files', PROJECT_COMMANDS],
  ['Run workflows and answer questions', EXECUTION_COMMANDS],
  ['Work on queues', QUEUE_COMMANDS],
];
const REST = 'Talk with agents, call the API, log in';

/** One table, with a row for the heading of each area. */
export function commandsText(): string {
  const inAreas = new Set(AREAS.flatMap(([, commands]) => commands));
  const others = COMMANDS.filter((command) => !inAreas.has(command));
  const rows = [...AREAS, [REST, others] as const].flatMap(([heading, commands]) => [
    row(`**${heading}**`, '', ''),
    ...commands.map(commandRow),
  ]);
  return [row('Command', 'What it does', 'Options'), '|---|---|---|', ...rows, ''].join('\n');
}

/** Names the options; `--help` describes them, and has the examples. */
function commandRow({ name, summary, arguments: given = [], options = [] }: CommandSpec): string {
  const usage = [name, ...given.map((each) => each.name)].join(' ');
  return row(`\`${usage}\``, summary, options.map(({ flags }) => `\`${flags}\``).join(', '));
}

function row(...cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

export function commandsOf(page: string): string | undefined {
  return PART.exec(page)?.[0];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = readFileSync(COMMANDS_PAGE, 'utf8');
  if (commandsOf(page) === undefined) throw new Error(`${COMMANDS_PAGE} lacks <!-- commands --> or <!-- /commands -->`);
  writeFileSync(COMMANDS_PAGE, page.replace(PART, commandsText));
}
