import type { Handler } from '../commandSpec.ts';
import { Ended, EXIT } from '../exitCode.ts';
import { findExecution, findId } from '../findByName.ts';
import { takeRows } from '../takeRows.ts';
import { fieldValue, pairsOf } from '../values.ts';

export const listQuestions: Handler = async ({ options, out, place }) => {
  const here = await place();
  const workflow = options.text('workflow');
  const execution = options.text('execution');
  const filters = [
    ...(workflow === undefined ? [] : [`workflowId:${await findId(here, 'workflow', workflow)}`]),
    ...(execution === undefined ? [] : [`executionId:${await findExecution(here, execution)}`]),
    ...(options.isSet('mine') ? ['mine:true'] : []),
  ];
  const query = filters.length === 0 ? {} : { filterBy: filters.join(',') };
  const rows = await takeRows(here.client.paginate('listPendingInputs', { query }));
  out.rows(
    rows,
    [
      ['EXECUTION', ({ executionNumber }) => `#${executionNumber}`],
      ['WORKFLOW', ({ workflow }) => workflow?.name],
      ['NODE', ({ nodeId }) => nodeId],
      ['QUESTION', ({ title, label }) => title ?? label],
      ['FIELDS', ({ fields }) => fields.map(({ key, type }) => `${key}:${type}`).join(' ')],
      ['ASKED', ({ requestedAt }) => requestedAt],
    ],
    'There are no open questions.',
  );
  return EXIT.done;
};

/** Parses values by the types of the fields. Without --node it answers the execution's only question. */
export const answerQuestion: Handler = async ({ arguments: [word], options, out, place }) => {
  const here = await place();
  const executionId = await findExecution(here, word as string);
  const given = pairsOf(options.texts('set'), '--set');
  const { pendingInput = [] } = await here.client.getExecution({
    path: { executionId },
    query: { expansion: 'pendingInput' },
  });
  const node = options.text('node');
  const step = options.text('step');
  const asked = pendingInput.filter(({ nodeId, stepId }) => (node ?? nodeId) === nodeId && (step ?? stepId) === stepId);
  const [question] = asked;
  if (question === undefined)
    throw new Ended(EXIT.notFound, `${word} has no open question${node === undefined ? '' : ` at ${node}`}`);
  if (asked.length > 1) {
    const names = asked.map(({ nodeId, stepId }) => `--node ${nodeId} --step ${stepId}`).join('\n  ');
    throw new Ended(EXIT.usage, `${word} has several open questions. Choose one:\n  ${names}`);
  }
  const types = new Map(question.fields.map(({ key, type }) => [key, type]));
  const body = Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, fieldValue(types.get(key) ?? 'text', value)]),
  );
  const { nodeId, stepId } = question;
  const answer = await here.client.submitInput({ path: { executionId, nodeId }, query: { stepId }, body });
  out.value(answer, () => `Answered ${nodeId}; the execution continues.`);
  return EXIT.done;
};
