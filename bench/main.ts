import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startBare } from './bareProcess.ts';
import { bareSide, deploy, ourSide } from './calls.ts';
import { countCosts, countEvents } from './costs.ts';
import { startEmbeddings } from './embeddingServer.ts';
import { measureRow, type Sides, untilQuiet } from './measure.ts';
import { measureSampledRow } from './measureSamples.ts';
import { findProcesses, residentMib } from './processes.ts';
import { printed, type Report } from './report.ts';
import { ROW_NAMES, ROWS, type RowName } from './rows.ts';
import { SAMPLED_ROW_NAMES, SAMPLED_ROWS, type SampledRowName } from './sampledRows.ts';
import { type BenchStack, startStack } from './stack.ts';

// `npm run bench` compares the cost of the product with the same work by hand (README.md here).

const USAGE = `usage: npm run bench -- [--row ${[...ROW_NAMES, ...SAMPLED_ROW_NAMES].join('|')}]… [--rounds 3] [--json file] [--cpu-prof folder]`;

interface Options {
  rows: readonly RowName[];
  sampledRows: readonly SampledRowName[];
  rounds: number;
  json: string | undefined;
  cpuProf: string | undefined;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      row: { type: 'string', multiple: true },
      rounds: { type: 'string', default: '3' },
      json: { type: 'string' },
      'cpu-prof': { type: 'string' },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds ${values.rounds}: expected a whole number`);
  const known: readonly string[] = [...ROW_NAMES, ...SAMPLED_ROW_NAMES];
  const usual = [...ROW_NAMES, ...SAMPLED_ROW_NAMES.filter((name) => !SAMPLED_ROWS[name].isLong)];
  const wanted: readonly string[] = values.row ?? usual;
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`--row ${unknown}: expected one of ${known.join(', ')}`);
  return {
    rows: ROW_NAMES.filter((name) => wanted.includes(name)),
    sampledRows: SAMPLED_ROW_NAMES.filter((name) => wanted.includes(name)),
    rounds,
    json: values.json,
    cpuProf: values['cpu-prof'],
  };
}

const PROVIDER_HOST = '127.0.0.1';

function say(line: string): void {
  process.stderr.write(`bench    ${line}\n`);
}

/** Run in reverse order, at the end or at a signal. */
const undo: (() => Promise<void>)[] = [];

async function undoAll(): Promise<void> {
  for (let next = undo.pop(); next; next = undo.pop()) await next();
}

async function eventsOf(sides: Sides, stack: BenchStack, rows: readonly RowName[]): Promise<Report['events']> {
  const events: Report['events'] = {};
  for (const row of rows) {
    const [ours, bare] = [await sides.ours.calls[row](), await sides.bare.calls[row]()];
    if (ours === undefined || bare === undefined) continue;
    await untilQuiet(sides.database);
    events[row] = await countEvents(stack.running.temporalAddress, { ours, bare });
  }
  return events;
}

async function bench({ rows, sampledRows, rounds, cpuProf }: Options): Promise<Report> {
  const loadBefore = loadavg()[0] ?? 0;
  const folder = await mkdtemp(join(tmpdir(), 'perdure-bench-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));

  say('starting a stack and the bare process …');
  const profiling = cpuProf === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', resolve(cpuProf)];
  const embeddings = await startEmbeddings();
  undo.push(async () => embeddings.close());
  const settings = {
    HTTP_ALLOWED_PRIVATE_HOSTS: PROVIDER_HOST,
    OPENAI_API_KEY: 'sk-bench',
    OPENAI_BASE_URL: embeddings.url,
  };
  const stack = await startStack(join(folder, 'stack'), settings, profiling);
  undo.push(() => stack.stop());
  const bareProcess = await startBare(stack, embeddings.url);
  undo.push(() => bareProcess.stop());
  const database = new pg.Client({ connectionString: stack.running.databaseUrl });
  await database.connect();
  undo.push(() => database.end());
  const deployed = await deploy(stack);
  const processes = await findProcesses(stack.pid, bareProcess.pid);
  const sides: Sides = {
    ours: ourSide(stack, deployed),
    bare: bareSide(bareProcess, stack),
    bareProcess,
    processes,
    database,
  };
  undo.push(async () => void (await Promise.all([sides.ours.close(), sides.bare.close()])));

  if (rows.length > 0) say('counting statements and events …');
  const events = await eventsOf(sides, stack, rows);
  const statements = rows.length > 0 ? await countCosts(stack, deployed, rows, database, folder) : [];

  const results: Report['rows'] = [];
  for (const row of rows) {
    say(`${ROWS[row].title} …`);
    results.push(await measureRow(row, rounds, sides));
  }
  const sampled: Report['sampled'] = [];
  for (const row of sampledRows) {
    say(`${SAMPLED_ROWS[row].title} …`);
    try {
      sampled.push(await measureSampledRow(row, rounds, stack, sides));
    } catch (error) {
      // The figures of the other rows are still useful.
      process.exitCode = 1;
      sampled.push({ row, failed: (error as Error).message });
    }
  }
  const memory = await residentMib(processes);
  const machine = {
    cores: availableParallelism(),
    model: cpus()[0]?.model.trim() ?? 'unknown',
    node: process.versions.node,
    loadBefore,
    loadAfter: loadavg()[0] ?? 0,
  };
  return { machine, rounds, rows: results, sampled, statements, events, memory };
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void undoAll().finally(() => process.exit(130)));
}
try {
  const options = readOptions();
  const report = await bench(options);
  process.stdout.write(`\n${printed(report)}\n`);
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
} catch (error) {
  process.exitCode = 1;
  say((error as Error).message);
  process.stderr.write(`${USAGE}\n`);
} finally {
  await undoAll();
}
