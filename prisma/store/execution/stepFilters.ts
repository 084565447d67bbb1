import { STEP_STATUSES } from '../../../domain/execution/status.ts';
import { Prisma } from '../../generated/client.ts';
import { anyOfFilter, type Filter } from '../resource.ts';

const ITERATION = /^([\w-]{1,64}:\d{1,9}\/){0,9}[\w-]{1,64}(:\d{1,9})?$/;

export const STEP_FILTERS: Record<string, Filter> = {
  nodeId: {
    description: 'of the node',
    expected: 'the id of a node',
    where: (text) => (text === '' ? undefined : Prisma.sql`s.node_id = ${text}`),
  },
  iteration: {
    description:
      'in this iteration and all iterations inside it, as `outer:3` or `outer:3/inner:0`; `outer` for a whole loop; empty for steps outside loops',
    expected: 'an iteration such as outer:3/inner:0',
    where: within,
  },
  status: anyOfFilter('in the status', Prisma.sql`s.status`, STEP_STATUSES),
};

/** Matches an iteration and those inside it, with the operators of its index, which compares bytes. */
function within(text: string): Prisma.Sql | undefined {
  if (text === '') return Prisma.sql`s.iteration = ''`;
  if (!ITERATION.test(text)) return undefined;
  if (!/:\d+$/.test(text)) return below(`${text}:`, `${text};`);
  return Prisma.sql`(s.iteration = ${text} OR ${below(`${text}/`, `${text}0`)})`;
}

function below(from: string, to: string): Prisma.Sql {
  return Prisma.sql`(s.iteration ~>=~ ${from} AND s.iteration ~<~ ${to})`;
}
