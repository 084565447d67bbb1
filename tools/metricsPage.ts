import { join } from 'node:path';
import { METRICS, type MetricEntry } from '../engine/metrics/metricTable.ts';
import { PROJECT_ROOT } from '../projectRoot.ts';

export const METRICS_PAGE = join(PROJECT_ROOT, 'docs', 'metrics.md');
export const METRICS_TABLE = /(?<=<!-- metrics -->\n).*?(?=<!-- \/metrics -->)/s;

export function metricsTable(): string {
  const rows = Object.entries<MetricEntry>(METRICS).map(
    ([name, { kind, labels = [], byWorkflow, ofDatabase, help }]) => {
      const shown = [...labels.map((label) => `\`${label}\``), ...(byWorkflow ? ['(`workflow`)'] : [])].join(', ');
      return `| \`${name}\` | ${kind} | ${unitOf(name)} | ${shown} | ${help}${ofDatabase ? ' ¹' : ''} |`;
    },
  );
  return `${['| Metric | Kind | Unit | Labels | What |', '|---|---|---|---|---|', ...rows].join('\n')}\n`;
}

function unitOf(name: string): string {
  if (name.endsWith('_seconds')) return 'seconds';
  return name.includes('tokens') ? 'tokens' : 'number';
}
