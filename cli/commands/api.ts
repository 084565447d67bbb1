import { OPERATIONS, type OperationId } from '#client';
import type { Handler } from '../commandSpec.ts';
import { EXIT, Usage } from '../exitCode.ts';
import { jsonOf, pairsOf } from '../values.ts';

export const api: Handler = async ({ arguments: [word], options, out, place, signal }) => {
  if (word === undefined) {
    const rows = Object.entries(OPERATIONS).map(([id, { method, path }]) => ({ id, method, path }));
    out.rows(
      rows,
      [
        ['OPERATION', ({ id }) => id],
        ['METHOD', ({ method }) => method],
        ['PATH', ({ path }) => path],
      ],
      '',
    );
    return EXIT.done;
  }
  if (!Object.hasOwn(OPERATIONS, word)) throw new Usage(`There is no operation ${word}: \`perdure api\` lists them`);
  const id = word as OperationId;
  const path = pairsOf(options.texts('path'), '--path');
  const absent = [...OPERATIONS[id].path.matchAll(/\{(\w+)\}/g)].find(([, name = '']) => !path[name]);
  if (absent) throw new Usage(`--path ${absent[1]}=… is required for ${OPERATIONS[id].path}`);
  const here = await place();
  const body = options.text('body');
  const key = options.text('idempotencyKey');
  const answer = await here.client.send(id, {
    path,
    query: pairsOf(options.texts('query'), '--query'),
    signal,
    ...(body === undefined ? {} : { body: await jsonOf(body, '--body') }),
    ...(key === undefined ? {} : { idempotencyKey: key }),
  });
  if (answer.status >= 300) {
    out.value({ location: answer.headers.get('location') });
    return EXIT.done;
  }
  const type = answer.headers.get('content-type') ?? '';
  if (/[/+]json\b/.test(type)) {
    const link = answer.headers.get('link');
    out.value(await answer.json());
    if (link !== null) out.note(`There is more: ${link}`);
  } else if (answer.body !== null) {
    for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) out.raw(chunk);
  }
  return EXIT.done;
};
