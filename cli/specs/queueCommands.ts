import type { CommandSpec, OptionSpec } from '../commandSpec.ts';
import { LIMIT } from './limit.ts';

const QUEUE = { name: '<queue>', summary: 'id, slug or name' };
const ITEM = { name: '<item>', summary: 'id of the item' };
const LEASE: OptionSpec = { flags: '--lease <number>', summary: 'number of the current lease' };
const WORKER: OptionSpec = { flags: '--worker <name>', summary: 'name that is shown with the items' };

export const QUEUE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'queue list',
    summary: 'List the queues of the project',
    examples: ['perdure queue list'],
    operations: ['listQueues'],
    load: async () => (await import('../commands/queues.ts')).listQueues,
  },
  {
    name: 'queue items',
    summary: 'List the items of a queue',
    arguments: [QUEUE],
    options: [{ flags: '--status <status>', summary: 'such as PENDING or FAILED' }, LIMIT],
    examples: ['perdure queue items refunds --status failed'],
    operations: ['listQueueItems', 'listQueues'],
    load: async () => (await import('../commands/queues.ts')).listItems,
  },
  {
    name: 'queue add',
    summary: 'Add an item',
    arguments: [QUEUE, { name: '<data>', summary: 'an object: JSON, @file, or - for stdin' }],
    options: [
      { flags: '--external-id <id>', summary: 'your own id of the item, unique in the queue' },
      { flags: '--priority <n>', summary: 'higher is processed first' },
    ],
    examples: ['perdure queue add refunds \'{"orderId": 4711}\' --external-id order-4711'],
    operations: ['createQueueItem', 'listQueues'],
    load: async () => (await import('../commands/queues.ts')).addItem,
  },
  {
    name: 'queue claim',
    summary: 'Claim the next items',
    arguments: [QUEUE],
    options: [LIMIT, { flags: '--lease <duration>', summary: 'length of the lease, such as 15m' }, WORKER],
    examples: ['perdure queue claim refunds --lease 15m --json'],
    operations: ['claimQueueItems', 'listQueues'],
    load: async () => (await import('../commands/queues.ts')).claimItems,
  },
  {
    name: 'queue complete',
    summary: 'Complete a claimed item',
    arguments: [QUEUE, ITEM],
    options: [LEASE],
    examples: ['perdure queue complete refunds 01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f --lease 1'],
    operations: ['setQueueItemStatus', 'listQueues'],
    load: async () => (await import('../commands/queues.ts')).completeItem,
  },
  {
    name: 'queue fail',
    summary: 'Record an error of a claimed item, which is tried again while it has retries left',
    arguments: [QUEUE, ITEM],
    options: [{ flags: '--error <text>', summary: 'what went wrong' }, LEASE],
    examples: ['perdure queue fail refunds 01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f --error "the shop did not answer"'],
    operations: ['recordQueueItemError', 'listQueues'],
    load: async () => (await import('../commands/queues.ts')).failItem,
  },
  {
    name: 'queue requeue',
    summary: 'Requeue a failed or cancelled item with all its retries',
    arguments: [QUEUE, ITEM],
    examples: ['perdure queue requeue refunds 01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f'],
    operations: ['requeueQueueItem', 'listQueues'],
    load: async () => (await import('../commands/queues.ts')).requeueItem,
  },
  {
    name: 'queue work',
    summary: 'Process a queue: run a command for each item, which it gets as JSON on stdin; exit code 0 completes it',
    arguments: [QUEUE],
    options: [
      { flags: '--exec <command>', summary: 'the shell command' },
      { flags: '--concurrency <n>', summary: 'concurrent items; default 1' },
      { flags: '--lease <duration>', summary: 'length of a lease without a heartbeat; default 5m' },
      { flags: '--until-empty', summary: 'exit when no item is ready' },
      WORKER,
    ],
    examples: ["perdure queue work refunds --exec './refund.sh' --concurrency 4"],
    operations: ['claimQueueItems', 'heartbeatQueueItem', 'setQueueItemStatus', 'recordQueueItemError', 'listQueues'],
    load: async () => (await import('../commands/queues.ts')).workQueue,
  },
];
