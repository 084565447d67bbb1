import type { StatementCost } from './costs.ts';
import { type Goal, isMet } from './goal.ts';
import type { RowResult } from './measure.ts';
import type { SampledResult } from './measureSamples.ts';
import { type CpuMs, PROCESS_NAMES, type ProcessName } from './processes.ts';
import { ROWS, type RowName } from './rows.ts';
import { ROW_FAMILIES, SAMPLED_ROWS, type SampledRowName } from './sampledRows.ts';

export interface Report {
  machine: { cores: number; model: string; node: string; loadBefore: number; loadAfter: number };
  rounds: number;
  rows: RowResult[];
  sampled: (SampledResult | { row: SampledRowName; failed: string })[];
  statements: StatementCost[];
  events: Partial<Record<RowName, { ours: number; bare: number }>>;
  /** Resident, MiB. */
  memory: Partial<Record<ProcessName, number>>;
}

const MAX_STATEMENTS = 5;

function table(lines: string[][]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function latencies(rows: RowResult[]): string {
  return table([
    ['p50 at 1 client, ms', 'ours', 'bare', 'ratio', 'goal', '', 'no HTTP', 'ratio'],
    ...rows.map(({ row, p50 }) => {
      const { title, goal } = ROWS[row];
      return [
        title,
        ...[p50.ours, p50.bare].map((ms) => ms.toFixed(1)),
        p50.ratio.toFixed(2),
        `≤ ${goal.p50.toFixed(2)}`,
        p50.ratio <= goal.p50 ? 'met' : 'missed',
        p50.alone.toFixed(1),
        (p50.ours / p50.alone).toFixed(2),
      ];
    }),
  ]);
}

function throughputs(rows: RowResult[]): string {
  return table([
    ['at 10 clients, per second', 'ours', 'bare', 'ratio', 'goal', '', 'no HTTP', 'ratio'],
    ...rows.map(({ row, throughput }) => {
      const { title, goal } = ROWS[row];
      return [
        title,
        ...[throughput.ours, throughput.bare].map((rate) => rate.toFixed(0)),
        throughput.ratio.toFixed(2),
        `≥ ${goal.throughput.toFixed(2)}`,
        throughput.ratio >= goal.throughput ? 'met' : 'missed',
        throughput.alone.toFixed(0),
        (throughput.ours / throughput.alone).toFixed(2),
      ];
    }),
  ]);
}

function processorTimes(what: string, rows: { title: string; cpu: { ours: CpuMs; bare?: CpuMs } }[]): string {
  return table([
    [`processor time, ms ${what}`, '', ...PROCESS_NAMES, 'sum'],
    ...rows.flatMap(({ title, cpu }) =>
      Object.entries(cpu).map(([side, each]) => {
        const times = PROCESS_NAMES.map((name) => each[name]);
        const sum = times.reduce<number>((total, time) => total + (time ?? 0), 0);
        return [title, side, ...times.map((time) => time?.toFixed(1) ?? '-'), sum.toFixed(1)];
      }),
    ),
  ]);
}

function sampledTimes(results: Report['sampled']): string {
  const measured = results.flatMap((result) => ('failed' in result ? [] : [result]));
  return processorTimes(
    'a sample',
    measured.map(({ row, cpu }) => ({ title: SAMPLED_ROWS[row].title, cpu })),
  );
}

function costs({ statements, events }: Report): string {
  return table([
    ['per request', 'statements', 'history events', 'of bare'],
    ...statements.map(({ row, perExecution }) => [
      ROWS[row].title,
      `${perExecution.toFixed(1)}${row === 'inline' ? ` (goal ≤ ${MAX_STATEMENTS})` : ''}`,
      String(events[row]?.ours ?? '-'),
      String(events[row]?.bare ?? '-'),
    ]),
  ]);
}

function statementsOf({ statements }: Report): string {
  return statements
    .map(({ row, statements: each }) =>
      [ROWS[row].title, ...each.map(({ sql, perExecution }) => `  ${perExecution} × ${sql.slice(0, 90)}`)].join('\n'),
    )
    .join('\n');
}

function goalText({ of, atMost, atLeast }: Goal): string {
  const bound = atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`;
  return of === 'ours' ? bound : `${of} ${bound}`;
}

function sampledTable(what: string, results: Report['sampled']): string {
  return table([
    [what, 'unit', 'ours', 'bare', 'ratio', 'goals'],
    ...results.map((result) => {
      const { title, unit, goals } = SAMPLED_ROWS[result.row];
      if ('failed' in result) return [title, unit, '-', '-', '-', 'failed, see below'];
      const verdicts = goals.map((goal) => `${goalText(goal)} ${isMet(goal, result) ? 'met' : 'missed'}`);
      return [
        title,
        unit,
        result.ours.toFixed(2),
        result.bare?.toFixed(2) ?? '-',
        result.ratio?.toFixed(2) ?? '-',
        verdicts.join(', '),
      ];
    }),
  ]);
}

function sampledNotes(results: Report['sampled']): string {
  return results
    .flatMap((result) => {
      const { title, beside } = SAMPLED_ROWS[result.row];
      const notes =
        'failed' in result
          ? [`failed: ${result.failed}`]
          : Object.entries(result.notes).map(([name, value]) => `${value.toFixed(3)} ${name}`);
      return [`  ${title}: beside ${beside}`, ...notes.map((note) => `    ${note}`)];
    })
    .join('\n');
}

function sampledSections(what: string, results: Report['sampled']): string[] {
  return results.length === 0 ? [] : [sampledTable(what, results), sampledNotes(results), sampledTimes(results)];
}

export function printed(report: Report): string {
  const { machine, rounds, rows, memory } = report;
  const beside = rows.map(({ row }) => `  ${ROWS[row].title}: beside ${ROWS[row].beside}`);
  const sections = [
    `${machine.cores} cores (${machine.model}), Node ${machine.node}; load average ${machine.loadBefore.toFixed(1)} before, ${machine.loadAfter.toFixed(1)} after; medians of ${rounds} rounds`,
    ...(rows.length === 0
      ? []
      : [
          latencies(rows),
          throughputs(rows),
          [
            'bare is Express and the SDK in one process on the same servers; the goals compare with it.',
            '"no HTTP" is the same work called within that process, for reference.',
            ...beside,
          ].join('\n'),
          costs(report),
          statementsOf(report),
          processorTimes(
            'a request at 10 clients',
            rows.map(({ row, cpu }) => ({ title: ROWS[row].title, cpu })),
          ),
        ]),
    ...ROW_FAMILIES.flatMap(({ title, names }) =>
      sampledSections(
        title,
        report.sampled.filter(({ row }) => (names as readonly string[]).includes(row)),
      ),
    ),
    table([['resident memory, MiB', ''], ...Object.entries(memory).map(([name, mib]) => [name, mib.toFixed(0)])]),
  ];
  return sections.join('\n\n');
}
