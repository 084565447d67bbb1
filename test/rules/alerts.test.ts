import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { METRICS } from '../../engine/metrics/metricTable.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { findPrometheusTool } from '../setup/providers/prometheusTools.ts';

const run = promisify(execFile);
const PROMETHEUS = join(PROJECT_ROOT, 'deploy/prometheus');
const GRAFANA = join(PROJECT_ROOT, 'deploy/grafana');

interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

interface Case {
  name: string;
  input_series: { series: string; values: string }[];
  alert_rule_test: { alertname: string; eval_time: string; exp_alerts: unknown[] }[];
}

const read = (path: string) => readFileSync(path, 'utf8');
const alerts = (parse(read(join(PROMETHEUS, 'alerts.yml'))) as { groups: { rules: Alert[] }[] }).groups.flatMap(
  ({ rules }) => rules,
);
const { tests, ...head } = parse(read(join(PROMETHEUS, 'alerts.test.yml'))) as { rule_files: string[]; tests: Case[] };
const dashboards = readdirSync(GRAFANA).filter((file) => file.endsWith('.json'));

interface Dashboard {
  uid: string;
  title: string;
  panels: { id: number; title: string; targets: { expr: string }[] }[];
}

function dashboard(file: string): Dashboard {
  return JSON.parse(read(join(GRAFANA, file))) as Dashboard;
}

/** Metric names in an expression of PromQL; texts and labels contain none. */
function metricsIn(expression: string): string[] {
  const bare = expression.replaceAll(/"[^"]*"/g, '""');
  return [...bare.matchAll(/\b(?:perdure|temporal|process|nodejs)_\w+/g)].map(([name]) => name);
}

/** The SDK's library contains the names of its metrics, without prefix, unit and suffix. */
const sdk = readFileSync(
  join(PROJECT_ROOT, 'node_modules/@temporalio/core-bridge/releases', sdkFolder(), 'index.node'),
  'latin1',
);

function sdkFolder(): string {
  const cpu = arch() === 'arm64' ? 'aarch64' : 'x86_64';
  return platform() === 'darwin' ? `${cpu}-apple-darwin` : `${cpu}-unknown-linux-gnu`;
}

function exists(name: string): boolean {
  const base = name.replace(/_(bucket|sum|count)$/, '');
  if (name.startsWith('perdure_')) {
    const kind = Object.hasOwn(METRICS, base) ? METRICS[base as keyof typeof METRICS].kind : undefined;
    return name === base ? kind === 'counter' || kind === 'gauge' : kind === 'histogram';
  }
  if (name.startsWith('temporal_'))
    return sdk.includes(base.replace(/^temporal_/, '').replace(/_(total|seconds)$/, ''));
  return ['process_cpu_seconds_total', 'process_resident_memory_bytes'].includes(name);
}

test('each metric of an alert, of its tests and of a dashboard exists', () => {
  const expressions = [
    ...alerts.map(({ expr }) => expr),
    ...tests.flatMap(({ input_series }) => input_series.map(({ series }) => series)),
    ...dashboards.flatMap((file) => dashboard(file).panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))),
  ];
  const named = [...new Set(expressions.flatMap(metricsIn))];
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !exists(name))).toEqual([]);
});

test('each alert has a severity, a summary, and a section of the runbook', () => {
  const headings = [...read(join(PROJECT_ROOT, 'docs/runbook.md')).matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  expect(alerts.map(({ alert }) => alert).sort()).toEqual([...headings].sort());
  for (const { alert, labels, annotations } of alerts) {
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(annotations.summary).not.toBe('');
    expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
  }
});

test('the runbook lists the alerts by severity', () => {
  const page = read(join(PROJECT_ROOT, 'docs/runbook.md'));
  for (const severity of ['page', 'ticket']) {
    const [, list = ''] = new RegExp(`^- \\*\\*${severity}\\*\\*(.*?)(?=^- |\\n\\n)`, 'ms').exec(page) ?? [];
    const listed = [...list.matchAll(/\[(\w+)\]\(#\w+\)/g)].map(([, alert]) => alert);
    expect(listed).toEqual(alerts.filter(({ labels }) => labels.severity === severity).map(({ alert }) => alert));
  }
});

test('each alert is provoked in a test: in test/kills/alerts, or where its cause is', () => {
  const elsewhere = { PerdureReplayErrors: 'kills/versions', PerdureCertificateEnds: 'embedded/certificateEnds' };
  const kills = read(join(PROJECT_ROOT, 'test/kills/alerts.test.ts'));
  const [, notProvoked = ''] = /^const NOT_PROVOKED = \[(.*)\]/m.exec(kills) ?? [];
  const named = [...notProvoked.matchAll(/'(\w+)'/g)].map(([, alert]) => alert);
  expect(named.sort()).toEqual(Object.keys(elsewhere).sort());
  for (const [alert, file] of Object.entries(elsewhere)) {
    expect(read(join(PROJECT_ROOT, `test/${file}.test.ts`))).toContain(`'${alert}'`);
  }
});

test('each alert is tested both firing and quiet', () => {
  expect(head.rule_files).toEqual(['alerts.yml']);
  const tried = (fires: boolean) =>
    tests
      .flatMap(({ alert_rule_test }) => alert_rule_test)
      .filter(({ exp_alerts }) => exp_alerts.length > 0 === fires)
      .map(({ alertname }) => alertname)
      .sort();
  const names = alerts.map(({ alert }) => alert).sort();
  expect(tried(true)).toEqual(names);
  expect(tried(false)).toEqual(names);
});

const promtool = await findPrometheusTool('promtool');

(promtool ? test : test.skip)('promtool finds no mistake in the rules, and their tests pass', async () => {
  await run(promtool as string, ['check', 'rules', 'alerts.yml'], { cwd: PROMETHEUS });
  // The rules are checked above; their path in the container differs.
  await run(promtool as string, ['check', 'config', '--syntax-only', 'prometheus.yml'], { cwd: PROMETHEUS });
  const { stdout } = await run(promtool as string, ['test', 'rules', 'alerts.test.yml'], { cwd: PROMETHEUS });
  expect(stdout).toContain('SUCCESS');
});

test.each(dashboards)('the dashboard %s has panels with titles, and an id of its own', (file) => {
  const { uid, title, panels } = dashboard(file);
  expect(uid).toBe(`perdure-${file.replace('.json', '')}`);
  expect(title).toMatch(/^Perdure: /);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const panel of panels) {
    expect(panel.title).not.toBe('');
    expect(panel.targets.length).toBeGreaterThan(0);
  }
});

test('each part has a dashboard', () => {
  expect(dashboards.sort()).toEqual(['agents.json', 'engine.json', 'overview.json', 'queue.json', 'workflow.json']);
});
