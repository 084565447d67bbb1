import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { findPendingInput, type Submitter, submitAnswer } from '../../prisma/store/execution/pendingInput.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/ownDatabase.ts';
import { insertOwnExecution } from '../setup/ownRows.ts';

let own: MigratedDatabase;

beforeAll(async () => {
  own = await startMigratedDatabase(10);
});
afterAll(() => own?.dispose());

/** An open question and its step. */
async function openQuestion(required: number) {
  const { workspaceId, executionId } = await insertOwnExecution(own.database);
  const id = v7();
  const step = {
    workspaceId,
    executionId,
    nodeId: 'ask',
    label: 'Ask',
    type: 'input',
    status: 'NEEDS_INPUT',
    attempt: 1,
  };
  await own.database.executionStep.create({ data: { id, ...step, iteration: '' } });
  const question = { workspaceId, executionId, nodeId: 'ask', label: 'Ask', fields: [], submissions: [], required };
  await own.database.pendingInput.create({ data: { id, ...question } });
  const submit = (by?: Submitter, answer = 'x') =>
    submitAnswer(own.database, { workspaceId, executionId, id }, { answer }, [], by);
  const found = () => findPendingInput(own.database, executionId, 'ask', undefined);
  return { submit, found };
}

const person = (): Submitter => ({ type: 'user', id: v7() });

test('a question that takes several has one of each, and none of nobody', async () => {
  const { submit, found } = await openQuestion(2);
  const [one, two] = [person(), person()];
  expect(await submit()).toBeUndefined();
  const answers = await Promise.all(Array.from({ length: 5 }, () => submit(one)));
  expect(answers.filter((answer) => answer !== undefined)).toEqual([{ change: undefined }]);
  expect((await found())?.questions).toMatchObject([{ status: 'OPEN', required: 2, submitters: [one] }]);
  const last = await submit(two, 'two');
  expect(last?.change).toBeDefined();
  expect((await found())?.questions).toMatchObject([{ status: 'SUBMITTED', submitters: [one, two] }]);
  expect(await submit(person())).toBeUndefined();
});

test('a question with a single answer accepts it from anybody', async () => {
  const { submit, found } = await openQuestion(1);
  expect((await submit())?.change).toBeDefined();
  expect((await found())?.questions).toMatchObject([{ status: 'SUBMITTED', submitters: [] }]);
  expect(await submit(person())).toBeUndefined();
});
