import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CommandSpec, OptionSpec } from '../cli/commandSpec.ts';
import { COMMANDS, GLOBAL_OPTIONS } from '../cli/commands.ts';
import { PROJECT_ROOT } from '../projectRoot.ts';

// `npm run commands`: writes the commands into docs/cli.md from their table.

export const COMMANDS_PAGE = join(PROJECT_ROOT, 'docs', 'cli.md');
const PART = /(?<=<!-- commands -->\n).*?(?=<!-- \/commands -->)/s;

/** The commands as Markdown, with a line end. */
export function commandsText(): string {
  const all = COMMANDS.map(commandText).join('\n');
  return `${all}\n## Options of every command\n\n${optionsText(GLOBAL_OPTIONS)}\n`;
}

function commandText({ name, summary, arguments: given = [], options = [], examples }: CommandSpec): string {
  const usage = ['perdure', name, ...given.map((each) => each.name), ...(options.length > 0 ? ['[options]'] : [])];
  const parts = [`### ${name}`, `${summary}.`, `\`\`\`\n${usage.join(' ')}\n\n${examples.join('\n')}\n\`\`\``];
  const rows: OptionSpec[] = [...given.map((each) => ({ flags: each.name, summary: each.summary })), ...options];
  if (rows.length > 0) parts.push(optionsText(rows));
  return `${parts.join('\n\n')}\n`;
}

function optionsText(rows: readonly OptionSpec[]): string {
  const lines = rows.map(({ flags, summary }) => `| \`${flags}\` | ${summary.replaceAll('|', '\\|')} |`);
  return ['| | |', '|---|---|', ...lines].join('\n');
}

/** The text between the markers; undefined if one is missing. */
export function commandsOf(page: string): string | undefined {
  return PART.exec(page)?.[0];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = readFileSync(COMMANDS_PAGE, 'utf8');
  if (commandsOf(page) === undefined) throw new Error(`${COMMANDS_PAGE} lacks <!-- commands --> or <!-- /commands -->`);
  writeFileSync(COMMANDS_PAGE, page.replace(PART, commandsText));
}
