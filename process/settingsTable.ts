import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SETTINGS } from '../config.ts';
import { PROJECT_ROOT } from './projectRoot.ts';

// `npm run settings`: writes the table of docs/settings.md from config.ts.

export const SETTINGS_PAGE = join(PROJECT_ROOT, 'docs', 'settings.md');
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

/** The text between the markers; undefined if one is missing. */
export function tableOf(page: string): string | undefined {
  return TABLE.exec(page)?.[0];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = readFileSync(SETTINGS_PAGE, 'utf8');
  if (tableOf(page) === undefined) throw new Error(`${SETTINGS_PAGE} lacks <!-- settings --> or <!-- /settings -->`);
  writeFileSync(SETTINGS_PAGE, page.replace(TABLE, settingsTable));
}
