import type { components } from '#client';
import type { Handler } from '../commandSpec.ts';
import { EXIT, Usage } from '../exitCode.ts';
import { findId } from '../findByName.ts';
import type { Output } from '../output.ts';
import { takeRows } from '../takeRows.ts';
import { pairsOf } from '../values.ts';

const MAX_ROWS = 1_000;
/** Members of `runs` that name where the actions run. */
const PLACES = ['taskQueue', 'baseUrl', 'url', 'package'];

const DIGEST_SHOWN = 12;

export const listApps: Handler = async ({ out, place }) => {
  const here = await place();
  const query = { expansion: 'runs', limit: MAX_ROWS };
  const rows = await takeRows(here.client.paginate('listApps', { query }), Number.POSITIVE_INFINITY);
  out.rows(
    rows,
    [
      ['SLUG', ({ slug }) => slug],
      ['NAME', ({ name }) => name],
      ['RUNS', ({ runs }) => runs?.on],
      ['AT', ({ runs }) => PLACES.map((member) => runs?.[member]).find((one) => typeof one === 'string')],
      ['DIGEST', ({ digest }) => digest.slice(0, DIGEST_SHOWN)],
    ],
    'The workspace has no apps of its own.',
  );
  return EXIT.done;
};

export const loadOptions: Handler = async ({ arguments: [action = '', field = ''], options, out, place }) => {
  const [appId, actionId, ...rest] = action.split('.');
  if (!appId || !actionId || rest.length > 0) throw new Usage(`${action}: expected appId.actionId`);
  const here = await place();
  const named = options.text('connection');
  const connectionId = named === undefined ? undefined : await findId(here, 'connection', named);
  const search = options.text('search');
  const body = {
    ...{ field, inputs: pairsOf(options.texts('input'), '--input') },
    ...(connectionId === undefined ? {} : { connectionId }),
    ...(search === undefined ? {} : { search }),
  };
  const rows: { value: string; label: string }[] = [];
  let cursor: string | undefined;
  do {
    const page = cursor === undefined ? body : { ...body, cursor };
    const loaded = await here.client.loadOptions({ path: { appId, actionId }, body: page });
    if ('fields' in loaded) return printFields(out, loaded.fields);
    rows.push(...loaded.options);
    cursor = loaded.cursor;
  } while (cursor !== undefined && rows.length < MAX_ROWS);
  out.rows(
    rows,
    [
      ['VALUE', ({ value }) => value],
      ['LABEL', ({ label }) => label],
    ],
    'There are no options.',
  );
  if (cursor !== undefined) out.note('There are more: narrow them with --search.');
  return EXIT.done;
};

/** The value of the field is an object with these members. */
function printFields(out: Output, fields: components['schemas']['ActionFields']['fields']): number {
  out.rows(
    fields,
    [
      ['FIELD', ({ key }) => key],
      ['TYPE', ({ type }) => type],
      ['REQUIRED', ({ required }) => (required ? 'yes' : '')],
      ['LABEL', ({ label }) => label],
    ],
    'There are no fields.',
  );
  return EXIT.done;
}
