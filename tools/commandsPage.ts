import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CommandSpec, OptionSpec } from '../cli/commandSpec.ts';
import { COMMANDS, GLOBAL_OPTIONS } from '../cli/commands.ts';
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

export function commandsText(): string {
  const inAreas = new Set(AREAS.flatMap(([, commands]) => commands));
  const others = COMMANDS.filter((command) => !inAreas.has(command));
  return [
    ...AREAS.map(([heading, commands]) => areaText(heading, commands)),
    areaText('Talk with agents, call the API, log in', others),
    `### Options of every command\n\n${tableText('Option', GLOBAL_OPTIONS.map(optionRow))}\n`,
  ].join('\n');
}

function areaText(heading: string, commands: readonly CommandSpec[]): string {
  return `### ${heading}\n\n${tableText('Command, its options', commands.flatMap(commandRows))}\n`;
}

function commandRows({ name, summary, arguments: given = [], options = [], examples }: CommandSpec): string[] {
  const usage = [name, ...given.map((each) => each.name)].join(' ');
  const shown = examples.map((example) => `\`${example}\``).join('<br>');
  return [
    row(`**\`${usage}\`**`, `${summary}.<br>${shown}`),
    ...given.map((each) => optionRow({ flags: each.name, summary: each.summary })),
    ...options.map(optionRow),
  ];
}

function optionRow({ flags, summary }: OptionSpec): string {
  return row(`\`${flags}\``, summary);
}

function row(...cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function tableText(heading: string, rows: readonly string[]): string {
  return [row(heading, 'What it does'), '|---|---|', ...rows].join('\n');
}

export function commandsOf(page: string): string | undefined {
  return PART.exec(page)?.[0];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = readFileSync(COMMANDS_PAGE, 'utf8');
  if (commandsOf(page) === undefined) throw new Error(`${COMMANDS_PAGE} lacks <!-- commands --> or <!-- /commands -->`);
  writeFileSync(COMMANDS_PAGE, page.replace(PART, commandsText));
}
