import { type ChildProcess, spawn } from 'node:child_process';
import type { ClaimedItem } from '#client';
import type { Handler } from '../commandSpec.ts';
import { EXIT, Usage } from '../exitCode.ts';
import { findId } from '../findByName.ts';
import type { Column } from '../output.ts';
import { takeRows } from '../takeRows.ts';
import { durationOf, numberOf, objectOf } from '../values.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows of several operations, which differ in members that are not shown
type Row = any;

const ITEM: Column<Row>[] = [
  ['ID', ({ id }) => id],
  ['EXTERNAL', ({ externalId }) => externalId],
  ['STATUS', ({ status }) => status],
  ['RETRIES', ({ retryCount }) => retryCount],
  ['DATA', ({ data }) => data],
  ['ERROR', ({ lastError }) => lastError],
];

export const listQueues: Handler = async ({ out, place }) => {
  const here = await place();
  const filter = here.projectId === undefined ? {} : { filterBy: `projectId:${here.projectId}` };
  const query = { ...filter, expansion: 'slug,itemCounts' };
  const rows: Row[] = await takeRows(here.client.paginate('listQueues', { query }));
  out.rows(
    rows,
    [
      ['SLUG', ({ slug }) => slug],
      ['NAME', ({ name }) => name],
      ['ACTIVE', ({ isActive }) => isActive],
      ['ITEMS', ({ itemCounts }) => countsText(itemCounts)],
      ['ID', ({ id }) => id],
    ],
    'There are no queues.',
  );
  return EXIT.done;
};

function countsText(counts: Record<string, number> = {}): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');
}

export const listItems: Handler = async ({ arguments: [word], options, out, place }) => {
  const here = await place();
  const queueId = await findId(here, 'queue', word as string);
  const limit = numberOf(options.text('limit'), '--limit') ?? 50;
  const status = options.text('status');
  const query = {
    limit: Math.min(limit, 500),
    ...(status === undefined ? {} : { filterBy: `status:${status.toUpperCase()}` }),
  };
  const rows: Row[] = await takeRows(here.client.paginate('listQueueItems', { path: { queueId }, query }), limit);
  out.rows(rows, ITEM, 'No item matches.');
  return EXIT.done;
};

export const addItem: Handler = async ({ arguments: [word, data], options, out, place }) => {
  const here = await place();
  const queueId = await findId(here, 'queue', word as string);
  const externalId = options.text('externalId');
  const priority = numberOf(options.text('priority'), '--priority');
  const item = await here.client.createQueueItem({
    path: { queueId },
    body: {
      data: await objectOf(data as string, 'The data'),
      ...(externalId === undefined ? {} : { externalId }),
      ...(priority === undefined ? {} : { priority }),
    },
  });
  out.value(item, ({ id }) => id);
  return EXIT.done;
};

const WORKER = `perdure ${process.pid}`;

export const claimItems: Handler = async ({ arguments: [word], options, out, place }) => {
  const here = await place();
  const queueId = await findId(here, 'queue', word as string);
  const limit = numberOf(options.text('limit'), '--limit') ?? 1;
  const lease = options.text('lease');
  const leaseMs = lease === undefined ? {} : { leaseMs: durationOf(lease, '--lease') };
  const items = await here.client.claimQueueItems({
    path: { queueId },
    body: { limit, worker: options.text('worker') ?? WORKER, ...leaseMs },
  });
  out.rows(items, [...ITEM, ['LEASE', ({ lease: held }) => held]], 'No item is ready.');
  return EXIT.done;
};

const placeOfItem = async (given: Parameters<Handler>[0]) => {
  const [queue, itemId] = given.arguments as [string, string];
  const here = await given.place();
  const lease = numberOf(given.options.text('lease'), '--lease');
  return {
    client: here.client,
    path: { queueId: await findId(here, 'queue', queue), itemId },
    lease: lease === undefined ? {} : { lease },
  };
};

const shownEnd = ({ status, warning }: { status: string; warning?: { message: string } | null }) =>
  warning == null ? status : `${status}\n${warning.message}`;

export const completeItem: Handler = async (given) => {
  const { client, path, lease } = await placeOfItem(given);
  given.out.value(await client.setQueueItemStatus({ path, body: { status: 'COMPLETED', ...lease } }), shownEnd);
  return EXIT.done;
};

export const failItem: Handler = async (given) => {
  const { client, path, lease } = await placeOfItem(given);
  const error = given.options.text('error') ?? 'failed by hand';
  given.out.value(await client.recordQueueItemError({ path, body: { error, ...lease } }), shownEnd);
  return EXIT.done;
};

export const requeueItem: Handler = async (given) => {
  const { client, path } = await placeOfItem(given);
  given.out.value(await client.requeueQueueItem({ path }), ({ status }) => String(status));
  return EXIT.done;
};

/** The item is JSON on stdin; exit code 0 completes it. A second Ctrl-C, or another signal, kills running commands. */
export const workQueue: Handler = async ({ arguments: [word], options, out, place, signal }) => {
  const command = options.text('exec');
  if (command === undefined) throw new Usage("--exec 'command' is required: it gets the item on stdin");
  const here = await place();
  const queueId = await findId(here, 'queue', word as string);
  const lease = options.text('lease');
  const running = new Set<ChildProcess>();
  const breakOff = (_: NodeJS.Signals, number: number) => {
    for (const child of running) endGroup(child);
    process.exit(128 + number);
  };
  const signals: NodeJS.Signals[] = ['SIGTERM', 'SIGHUP'];
  for (const each of signals) process.once(each, breakOff);
  const ending = () => {
    out.note('No more items are claimed. Running items finish; Ctrl-C again stops them.');
    process.once('SIGINT', breakOff);
  };
  signal.addEventListener('abort', ending, { once: true });
  const counts = await here.client.work(
    queueId,
    async (item, { signal: lost }) => {
      out.note(`item ${item.externalId ?? item.id}`);
      await doItem(command, item, lost, running);
    },
    {
      signal,
      concurrency: numberOf(options.text('concurrency'), '--concurrency') ?? 1,
      worker: options.text('worker') ?? WORKER,
      untilEmpty: options.isSet('untilEmpty'),
      onAway: ({ message }) => out.note(`${message}. Retrying until it answers.`),
      ...(lease === undefined ? {} : { leaseMs: durationOf(lease, '--lease') }),
    },
  );
  out.value(counts, ({ completed, failed, lost }) => `${completed} completed, ${failed} failed, ${lost} lost`);
  return signal.aborted ? EXIT.interrupted : EXIT.done;
};

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Rejects with the last line of stderr if the exit code is not 0. */
function doItem(command: string, item: ClaimedItem, lost: AbortSignal, running: Set<ChildProcess>): Promise<void> {
  return new Promise((done, fail) => {
    // Its own process group, so that Ctrl-C at the terminal does not reach it.
    const child = spawn(command, { shell: true, detached: true, stdio: ['pipe', 'inherit', 'pipe'] });
    const end = () => endGroup(child);
    if (lost.aborted) end();
    lost.addEventListener('abort', end, { once: true });
    running.add(child);
    let lastLine = '';
    child.stderr.on('data', (chunk: Buffer) => {
      process.stderr.write(chunk);
      lastLine = String(chunk).trim().split('\n').at(-1) || lastLine;
    });
    child.once('error', fail);
    child.once('close', (code) => {
      running.delete(child);
      lost.removeEventListener('abort', end);
      if (code === 0) done();
      else fail(new Error(lastLine || `The command ended with ${code ?? 'a signal'}`));
    });
    // A command that does not read its input closes the pipe.
    child.stdin.once('error', () => undefined);
    child.stdin.end(JSON.stringify(item));
  });
}
