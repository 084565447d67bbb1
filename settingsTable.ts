import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SETTINGS } from './config.ts';
import { PROJECT_ROOT } from './projectRoot.ts';

// `npm run settings`: writes the README's table of settings from config.ts.

export const README = join(PROJECT_ROOT, 'README.md');
const TABLE = /(?<=<!-- settings -->\n).*?(?=<!-- \/settings -->)/s;

/** The settings of config.ts as a Markdown table, with a line end. */
export function settingsTable(): string {
  const rows = Object.entries(SETTINGS.shape).map(([name, schema]) => {
    const what = (schema.description ?? '').replaceAll('|', '\\|');
    return `| \`${name}\` | ${shownDefault(schema)} | ${what} |`;
  });
  return ['| Setting | Default | What |', '|---|---|---|', ...rows, ''].join('\n');
}

/** As it would stand in the environment; empty where there is none. */
function shownDefault({ def }: { def: object }): string {
  const value = 'defaultValue' in def ? def.defaultValue : undefined;
  const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
  return text === '' ? '' : `\`${text}\``;
}

/** What stands between the markers; undefined where one of them is missing. */
export function tableOf(readme: string): string | undefined {
  return TABLE.exec(readme)?.[0];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const readme = readFileSync(README, 'utf8');
  if (tableOf(readme) === undefined) throw new Error(`${README} lacks <!-- settings --> or <!-- /settings -->`);
  writeFileSync(README, readme.replace(TABLE, settingsTable));
}
