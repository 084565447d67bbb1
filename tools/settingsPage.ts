import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ZodType } from 'zod';
import { SETTING_GROUPS } from '../config.ts';
import { PROJECT_ROOT } from '../projectRoot.ts';
import { METRICS_PAGE, METRICS_TABLE, metricsTable } from './metricsPage.ts';

// `npm run settings` writes the tables of docs/settings.md, the names of the settings for the Helm chart, and the table
// of docs/metrics.md.

export const SETTINGS_PAGE = join(PROJECT_ROOT, 'docs', 'settings.md');
/** The chart refuses names that are not in this file. */
export const CHART_SETTINGS = join(PROJECT_ROOT, 'deploy', 'helm', 'files', 'settings.txt');
const TABLES = /(?<=<!-- settings -->\n).*?(?=<!-- \/settings -->)/s;

/** One table, with a row for the title of each group. */
export function settingsTables(): string {
  const rows = SETTING_GROUPS.flatMap(({ title, settings }) => [`| **${title}** | | |`, ...rowsOf(settings)]);
  return ['| Setting | Default | What |', '|---|---|---|', ...rows, ''].join('\n');
}

function rowsOf(settings: Readonly<Record<string, ZodType>>): string[] {
  return Object.entries(settings).map(([name, schema]) => {
    const what = (schema.description ?? '').replaceAll('|', '\\|');
    return `| \`${name}\` | ${shownDefault(schema)} | ${what} |`;
  });
}

export function settingNames(): string {
  return SETTING_GROUPS.flatMap(({ settings }) => Object.keys(settings).map((name) => `${name}\n`)).join('');
}

function shownDefault({ def }: { def: object }): string {
  const value = 'defaultValue' in def ? def.defaultValue : undefined;
  const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
  return text === '' ? '' : `\`${text}\``;
}

export function tablesOf(page: string): string | undefined {
  return TABLES.exec(page)?.[0];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = readFileSync(SETTINGS_PAGE, 'utf8');
  if (tablesOf(page) === undefined) throw new Error(`${SETTINGS_PAGE} lacks <!-- settings --> or <!-- /settings -->`);
  writeFileSync(SETTINGS_PAGE, page.replace(TABLES, settingsTables));
  writeFileSync(CHART_SETTINGS, settingNames());
  writeFileSync(METRICS_PAGE, readFileSync(METRICS_PAGE, 'utf8').replace(METRICS_TABLE, metricsTable));
}
