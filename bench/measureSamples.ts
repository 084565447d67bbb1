import { median } from './load.ts';
import { type Sides, untilQuiet } from './measure.ts';
import { type CpuMs, cpuMedians, cpuMs, cpuOfEach } from './processes.ts';
import { bareSampledSide, ourSampledSide, SAMPLED_ROWS, type SampledRowName } from './sampledRows.ts';
import type { Sampler } from './sampler.ts';
import type { BenchStack } from './stack.ts';

export interface SampledResult {
  row: SampledRowName;
  /** In the row's unit: medians over the rounds' medians. */
  ours: number;
  bare?: number;
  ratio?: number;
  difference?: number;
  /** For one sample, until everything that it started has ended: medians over the rounds. */
  cpu: { ours: CpuMs; bare?: CpuMs };
  notes: Record<string, number>;
  rounds: { ours: number; bare?: number }[];
}

/** After a warm-up, measures both sides in turn, alternating which is first. */
export async function measureSampledRow(
  row: SampledRowName,
  rounds: number,
  stack: BenchStack,
  { bareProcess, processes, database }: Sides,
): Promise<SampledResult> {
  const ours = await ourSampledSide(row, stack, bareProcess.url);
  const bare = await bareSampledSide(row, bareProcess.url, stack);
  const notes = new Map<string, number[]>();
  const cpu: { ours: CpuMs[]; bare: CpuMs[] } = { ours: [], bare: [] };
  const take = async (side: 'ours' | 'bare', sample: Sampler): Promise<number> => {
    const values: number[] = [];
    const before = await cpuMs(processes);
    for (let count = 0; count < SAMPLED_ROWS[row].samples; count += 1) {
      const taken = await sample();
      values.push(...taken.values);
      for (const [name, value] of Object.entries(taken.notes ?? {}))
        notes.set(name, [...(notes.get(name) ?? []), value]);
      await untilQuiet(database);
    }
    cpu[side].push(cpuOfEach(before, await cpuMs(processes), SAMPLED_ROWS[row].samples));
    return median(values);
  };
  try {
    await ours.sample();
    await bare?.sample();
    await untilQuiet(database);
    notes.clear();
    const found: SampledResult['rounds'] = [];
    for (let round = 0; round < rounds; round += 1) {
      const first = bare && round % 2 === 1 ? await take('bare', bare.sample) : undefined;
      const our = await take('ours', ours.sample);
      const other = first ?? (bare && (await take('bare', bare.sample)));
      found.push(other === undefined ? { ours: our } : { ours: our, bare: other });
    }
    const measured = {
      row,
      ours: median(found.map((each) => each.ours)),
      rounds: found,
      cpu: { ours: cpuMedians(cpu.ours), ...(bare ? { bare: cpuMedians(cpu.bare) } : {}) },
    };
    const middles = Object.fromEntries([...notes].map(([name, values]) => [name, median(values)]));
    const bares = found.flatMap((each) => (each.bare === undefined ? [] : [{ ours: each.ours, bare: each.bare }]));
    if (bares.length === 0) return { ...measured, notes: middles };
    return {
      ...measured,
      bare: median(bares.map((each) => each.bare)),
      ratio: median(bares.map((each) => each.ours / each.bare)),
      difference: median(bares.map((each) => each.ours - each.bare)),
      notes: middles,
    };
  } finally {
    await ours.close();
    await bare?.close();
  }
}
