import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { request } from 'undici';
import { ENDED } from '../prisma/store/execution/endedStatus.ts';
import type { BareProcess } from './bareProcess.ts';
import type { Side } from './calls.ts';
import { type Block, median, perSecond, runBlock } from './load.ts';
import { type CpuMs, cpuMedians, cpuMs, cpuOfEach, type Processes } from './processes.ts';
import { ROWS, type RowName } from './rows.ts';

/** `alone`: bare without HTTP, in its own process. */
export interface Figures {
  ours: number;
  bare: number;
  alone: number;
  /** Our ratio to bare: the median of the rounds' ratios, because noise in a round affects both sides. */
  ratio: number;
}

export interface RowResult {
  row: RowName;
  p50: Figures;
  throughput: Figures;
  /** Processor milliseconds per request and process at 10 clients, without other work on the machine. */
  cpu: { ours: CpuMs; bare: CpuMs };
  rounds: { p50: Round[]; throughput: Round[] };
}

type Round = Omit<Figures, 'ratio'>;
type Load = (count: number, clients: number) => Promise<Block>;

export interface Sides {
  ours: Side;
  bare: Side;
  bareProcess: BareProcess;
  processes: Processes;
  database: pg.Client;
}

const WARM_UP = { ten: 0.5, one: 0.25 };
const QUIET_MS = 150;
const LOOK_MS = 20;

/** Executions that were answered early continue in the background and must not affect the next block. */
export async function untilQuiet(database: pg.Client): Promise<void> {
  const open = `SELECT 1 FROM executions WHERE status NOT IN ${ENDED.sql} LIMIT 1`;
  while ((await database.query(open)).rows.length > 0) await sleep(LOOK_MS);
  await sleep(QUIET_MS);
}

async function alone({ url }: BareProcess, row: RowName, count: number, clients: number): Promise<Block> {
  const answer = await request(`${url}/in-process/${row}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ count, clients }),
    headersTimeout: 0,
  });
  if (answer.statusCode !== 200) throw new Error(`bare ${row}: ${await answer.body.text()}`);
  return (await answer.body.json()) as Block;
}

/** After a warm-up, measures both sides in turn, alternating which is first. */
export async function measureRow(
  row: RowName,
  rounds: number,
  { ours, bare, bareProcess, processes, database }: Sides,
): Promise<RowResult> {
  const { one, ten } = ROWS[row].requests;
  const loads: Record<keyof Round, Load> = {
    ours: (count, clients) => runBlock(count, clients, ours.calls[row]),
    bare: (count, clients) => runBlock(count, clients, bare.calls[row]),
    alone: (count, clients) => alone(bareProcess, row, count, clients),
  };
  async function inTurn(count: number, clients: number, first: number): Promise<Record<keyof Round, Measured>> {
    const order: (keyof Round)[] = ['ours', 'bare', 'alone'];
    const blocks: Partial<Record<keyof Round, Measured>> = {};
    for (let index = 0; index < order.length; index++) {
      const side = order[(first + index) % order.length] as keyof Round;
      const before = await cpuMs(processes);
      const block = await loads[side](count, clients);
      await untilQuiet(database);
      blocks[side] = { ...block, cpu: cpuOfEach(before, await cpuMs(processes), count) };
    }
    return blocks as Record<keyof Round, Measured>;
  }

  await inTurn(Math.ceil(ten * WARM_UP.ten), 10, 0);
  await inTurn(Math.ceil(one * WARM_UP.one), 1, 0);
  const p50: Round[] = [];
  const throughput: Round[] = [];
  const cpu: { ours: CpuMs[]; bare: CpuMs[] } = { ours: [], bare: [] };
  for (let round = 0; round < rounds; round++) {
    p50.push(each(await inTurn(one, 1, round), ({ latenciesMs }) => median(latenciesMs)));
    const blocks = await inTurn(ten, 10, round);
    throughput.push(each(blocks, perSecond));
    cpu.ours.push(blocks.ours.cpu);
    cpu.bare.push(blocks.bare.cpu);
  }
  return {
    row,
    p50: figures(p50),
    throughput: figures(throughput),
    cpu: { ours: cpuMedians(cpu.ours), bare: cpuMedians(cpu.bare) },
    rounds: { p50, throughput },
  };
}

type Measured = Block & { cpu: CpuMs };

function each(blocks: Record<keyof Round, Block>, figure: (block: Block) => number): Round {
  return { ours: figure(blocks.ours), bare: figure(blocks.bare), alone: figure(blocks.alone) };
}

function figures(rounds: Round[]): Figures {
  const middle = (figure: (round: Round) => number) => median(rounds.map(figure));
  return {
    ours: middle((round) => round.ours),
    bare: middle((round) => round.bare),
    alone: middle((round) => round.alone),
    ratio: middle((round) => round.ours / round.bare),
  };
}
