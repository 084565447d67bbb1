import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { PROJECT_ROOT } from '../../../projectRoot.ts';

const RULES = join(PROJECT_ROOT, 'deploy/prometheus/alerts.yml');

interface Rule {
  alert: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

/** A series with its labels, and its value at each minute in promtool's notation (`5x60`). */
export interface ScrapedSeries {
  series: string;
  values: string;
}

export function samplesOf(text: string, metric: string): { series: string; value: number }[] {
  return text.split('\n').flatMap((line) => {
    const [, series, name, value] = /^((\w+)(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
    return series !== undefined && name === metric ? [{ series, value: Number(value) }] : [];
  });
}

/** Evaluates the alert over these series with promtool, without waiting. Throws unless the result equals `fires`. */
export async function expectAlert(
  promtool: string,
  { alert, scraped, at, fires }: { alert: string; scraped: ScrapedSeries[]; at: string; fires: boolean },
): Promise<void> {
  const { groups } = parse(await readFile(RULES, 'utf8')) as { groups: { rules: Rule[] }[] };
  const rule = groups.flatMap(({ rules }) => rules).find((each) => each.alert === alert);
  if (rule === undefined) throw new Error(`There is no alert ${alert}`);
  const folder = await mkdtemp(join(tmpdir(), 'perdure-alert-'));
  try {
    const expected = fires ? [{ exp_labels: rule.labels, exp_annotations: rule.annotations }] : [];
    const test = {
      interval: '1m',
      input_series: scraped,
      alert_rule_test: [{ eval_time: at, alertname: alert, exp_alerts: expected }],
    };
    const file = join(folder, 'case.yml');
    await writeFile(file, stringify({ rule_files: [RULES], evaluation_interval: '1m', tests: [test] }));
    await promisify(execFile)(promtool, ['test', 'rules', file]);
  } finally {
    await rm(folder, { recursive: true });
  }
}
