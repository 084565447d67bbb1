import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { anyPort } from '../../../process/ports.ts';
import { PROJECT_ROOT } from '../../../projectRoot.ts';
import { findPrometheusTool } from './prometheusTools.ts';

export interface Prometheus {
  /** Sets the scraped URLs of `GET /metrics`. */
  watch(urls: readonly string[]): Promise<void>;
  firing(): Promise<string[]>;
  query(expression: string): Promise<unknown>;
  stop(): Promise<void>;
}

interface Rule {
  expr: string;
  for?: string;
}

const SECONDS: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 };

/** Divides each time span in the rules by `times`; thresholds remain. */
function quickened({ expr, for: wait, ...rule }: Rule, times: number): Rule {
  const shorter = (text: string) =>
    text.replaceAll(/\b(\d+)([mhd])\b/g, (_, count: string, unit: string) => {
      return `${(Number(count) * (SECONDS[unit] as number) * 1_000) / times}ms`;
    });
  return { ...rule, expr: shorter(expr), ...(wait === undefined ? {} : { for: shorter(wait) }) };
}

/** `times`: how much faster its rules are than a deployment's. Throws if no Prometheus is available. */
export async function startPrometheus(times: number): Promise<Prometheus> {
  const binary = await findPrometheusTool('prometheus');
  if (binary === undefined) throw new Error('There is no Prometheus');
  const folder = await mkdtemp(join(tmpdir(), 'perdure-prometheus-'));
  const rules = parse(await readFile(join(PROJECT_ROOT, 'deploy/prometheus/alerts.yml'), 'utf8')) as {
    groups: { name: string; rules: Rule[] }[];
  };
  const groups = rules.groups.map((group) => ({ ...group, rules: group.rules.map((rule) => quickened(rule, times)) }));
  const targets = join(folder, 'targets.json');
  const watch = (urls: readonly string[]) =>
    writeFile(targets, JSON.stringify([{ targets: urls.map((url) => new URL(url).host) }]));
  await watch([]);
  await writeFile(join(folder, 'alerts.yml'), stringify({ groups }));
  await writeFile(
    join(folder, 'prometheus.yml'),
    stringify({
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '500ms' },
      rule_files: ['alerts.yml'],
      scrape_configs: [{ job_name: 'perdure', file_sd_configs: [{ files: ['targets.json'], refresh_interval: '1s' }] }],
    }),
  );
  const port = await anyPort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    binary,
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr?.on('data', (text: Buffer) => {
    said += text;
  });
  const get = async (path: string) => {
    const answer = await fetch(new URL(path, url));
    if (!answer.ok) throw new Error(`Prometheus: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as {
      data: { alerts: { state: string; labels: { alertname: string } }[]; result: unknown };
    };
  };
  await untilReady(child, url, () => said);
  return {
    watch,
    async firing() {
      const { alerts } = (await get('/api/v1/alerts')).data;
      return [
        ...new Set(alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)),
      ].sort();
    },
    query: async (expression) => (await get(`/api/v1/query?query=${encodeURIComponent(expression)}`)).data.result,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(child: ChildProcess, url: string, said: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`Prometheus ended:\n${said()}`);
    const status = await fetch(`${url}/-/ready`).then((answer) => answer.status, String);
    if (status === 200) return;
    await new Promise((done) => setTimeout(done, 100));
  }
}
