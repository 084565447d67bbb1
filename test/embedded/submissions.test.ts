import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import type { Submitter } from '../../domain/execution/submission.ts';
import { findPendingInput, submitAnswer } from '../../prisma/store/execution/pendingInput.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnExecution } from '../setup/database/ownRows.ts';

let own: MigratedDatabase;

beforeAll(async () => {
  own = await startMigratedDatabase(10);
});
afterAll(() => own?.dispose());

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
  const submit = (submitter?: Known, answer = 'x') =>
    submitAnswer(own.database, { workspaceId, executionId, id }, { answer }, [], submitter);
  const found = () => findPendingInput(own.database, executionId, 'ask');
  return { submit, found };
}

type Known = Pick<Submitter, 'by' | 'person'>;

const person = (id = v7()): Known => ({ by: { type: 'user', id, name: 'Ada' }, person: id });
const keyOf = ({ person: id }: Known): Known => ({ by: { type: 'apiKey', id: v7(), name: 'key' }, person: id });

test('a question that takes several has one of each person, by whatever key, and none of nobody', async () => {
  const { submit, found } = await openQuestion(2);
  const [one, two] = [person(), person()];
  expect(await submit()).toBeUndefined();
  const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => submit(n % 2 ? one : keyOf(one))));
  expect(answers.filter((answer) => answer !== undefined)).toEqual([{ change: undefined }]);
  expect((await found())?.questions).toMatchObject([{ status: 'OPEN', required: 2, persons: [one.person] }]);
  const last = await submit(two, 'two');
  expect(last?.change).toBeDefined();
  expect((await found())?.questions).toMatchObject([
    { status: 'SUBMITTED', persons: [one.person, two.person], lastBy: two.by },
  ]);
  expect(await submit(person())).toBeUndefined();
});

test('a question with a single answer accepts it from anybody', async () => {
  const { submit, found } = await openQuestion(1);
  expect((await submit())?.change).toBeDefined();
  expect((await found())?.questions).toMatchObject([{ status: 'SUBMITTED', persons: [], lastBy: null }]);
  expect(await submit(person())).toBeUndefined();
});
