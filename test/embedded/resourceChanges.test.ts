import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { Problem } from '../../domain/problem.ts';
import { constraintProblem } from '../../prisma/constraints.ts';
import { Prisma } from '../../prisma/generated/client.ts';
import { rowsOf } from '../../prisma/rowsOf.ts';
import { BULK_ROWS, bulkRows, recordset } from '../../prisma/store/bulkRows.ts';
import { changeResource } from '../../prisma/store/changeResource.ts';
import { transition } from '../../prisma/store/transition.ts';
import { VARIABLE } from '../../prisma/store/variable/resource.ts';
import { insertVariable } from '../../prisma/store/variable/variables.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { addThings, keyOfWorkspace, makeTables, THING } from '../setup/database/things.ts';

let own: MigratedDatabase;

beforeAll(async () => {
  own = await startMigratedDatabase(10);
  await makeTables(own.database);
});

afterAll(() => own.dispose());

async function problemOf(run: Promise<unknown>): Promise<Problem | undefined> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof Problem ? error : constraintProblem(error);
}

const query = { expansion: 'number,label,status' };

test('PATCH sets the named fields, and leaves the rest', async () => {
  const viewer = keyOfWorkspace();
  const [id = ''] = await addThings(own.database, viewer, [{ number: 7, label: 'a' }]);
  const change = (body: Record<string, string | number | null>, who = viewer) =>
    changeResource(own.database, who, THING, id, body, { query });
  expect(await change({ label: 'b' })).toEqual({ id, number: 7, label: 'b', status: 'OPEN' });
  expect(await change({ number: 8, label: null })).toEqual({ id, number: 8, label: null, status: 'OPEN' });
  const updatedAt = { query: { expansion: 'updatedAt' } };
  const before = await changeResource(own.database, viewer, THING, id, {}, updatedAt);
  expect(await changeResource(own.database, viewer, THING, id, {}, updatedAt)).toEqual(before);
  expect((await problemOf(change({ label: 'c' }, keyOfWorkspace())))?.code).toBe('NOT_FOUND');
  await expect(change({ status: 'DONE' })).rejects.toThrow('PATCH of thing set status');
});

test('one of twenty concurrent transitions moves the row, and the others get its state', async () => {
  const viewer = keyOfWorkspace();
  const ids = await addThings(own.database, viewer, [{}, {}, {}]);
  for (const id of ids) {
    const moves = Array.from({ length: 20 }, (_, index) =>
      transition(
        own.database,
        viewer,
        THING,
        id,
        {
          state: Prisma.sql`t.status`,
          from: ['OPEN'],
          set: [Prisma.sql`status = ${`TAKEN BY ${index}`}`],
        },
        { query },
      ),
    );
    const outcomes = await Promise.all(moves);
    const [winner, ...others] = outcomes.filter(({ moved }) => moved);
    expect(others).toEqual([]);
    expect(winner?.state).toBe('OPEN');
    for (const { moved, state, item } of outcomes) {
      expect(item.status).toBe(winner?.item.status);
      if (!moved) expect(state).toBe(winner?.item.status);
    }
  }
});

test('a transition that is not allowed changes nothing; one of a row that is not there is NOT_FOUND', async () => {
  const viewer = keyOfWorkspace();
  const [id = ''] = await addThings(own.database, viewer, [{ number: 3 }]);
  const move = (who = viewer, when = Prisma.sql`true`, from = ['OPEN']) => {
    const set = [Prisma.sql`status = 'DONE'`];
    return transition(own.database, who, THING, id, { state: Prisma.sql`t.status`, from, when, set }, { query });
  };
  const open = { id, number: 3, label: null, status: 'OPEN' };
  expect(await move(viewer, Prisma.sql`t.number > 3`)).toEqual({
    moved: false,
    state: 'OPEN',
    before: null,
    item: open,
  });
  expect(await move(viewer, Prisma.sql`true`, ['DONE'])).toEqual({
    moved: false,
    state: 'OPEN',
    before: null,
    item: open,
  });
  expect((await problemOf(move(keyOfWorkspace())))?.message).toBe('The thing does not exist');
  expect(await move(viewer, Prisma.sql`t.number = 3`)).toEqual({
    moved: true,
    state: 'OPEN',
    before: null,
    item: { ...open, status: 'DONE' },
  });
});

test('a constraint that a caller can break is a problem, by the driver and by Prisma', async () => {
  const viewer = keyOfWorkspace();
  const insert = (name: string) =>
    insertVariable(own.database, viewer.workspaceId, {
      id: v7(),
      projectId: null,
      name,
      description: null,
      stored: { value: 1, isSecret: false, sealed: null, keyId: null },
    });
  await rowsOf(own.database, Prisma.sql`INSERT INTO workspaces (id, name) VALUES (${viewer.workspaceId}::uuid, 'w')`);
  expect(await insert('a')).toBe('inserted');
  await insert('b');
  const byPrisma = await problemOf(insert('a'));
  const [row] = await rowsOf<{ id: string }>(
    own.database,
    Prisma.sql`SELECT id FROM variables WHERE workspace_id = ${viewer.workspaceId}::uuid AND name = 'b'`,
  );
  const byDriver = await problemOf(changeResource(own.database, viewer, VARIABLE, row?.id ?? '', { name: 'a' }));
  for (const problem of [byPrisma, byDriver]) {
    expect([problem?.code, problem?.errors?.[0]?.path]).toEqual(['CONFLICT', 'name']);
  }
  expect(constraintProblem(new Error('another'))).toBeUndefined();
});

test('many rows are written by the thousand, a second try finishes the first, and one more changes them', async () => {
  const viewer = keyOfWorkspace();
  const rows = Array.from({ length: 2 * BULK_ROWS + 5 }, (_, number) => ({ id: v7(), number, label: 'new' }));
  const columns = { id: 'uuid', number: 'int', label: 'text' } as const;
  const insert = async (some: readonly object[]) => {
    const inserted = await rowsOf<{ id: string }>(
      own.database,
      Prisma.sql`INSERT INTO things (id, workspace_id, number, label)
        SELECT r.id, ${viewer.workspaceId}::uuid, r.number, r.label FROM ${recordset(some, columns)}
        ON CONFLICT (id) DO NOTHING RETURNING id`,
    );
    return inserted.length;
  };
  const counts = async (write: typeof insert) => {
    const answered: number[] = [];
    for await (const count of bulkRows(rows, write)) answered.push(count);
    return answered;
  };
  // Simulates a first try that died after one statement.
  for await (const count of bulkRows(rows, insert)) {
    expect(count).toBe(BULK_ROWS);
    break;
  }
  expect(await counts(insert)).toEqual([0, BULK_ROWS, 5]);
  const update = async (some: readonly object[]) => {
    const updated = await rowsOf<{ id: string }>(
      own.database,
      Prisma.sql`UPDATE things t SET number = t.number + r.number FROM ${recordset(some, columns)}
        WHERE t.id = r.id AND t.workspace_id = ${viewer.workspaceId}::uuid RETURNING t.id`,
    );
    return updated.length;
  };
  expect(await counts(update)).toEqual([BULK_ROWS, BULK_ROWS, 5]);
  const [sum] = await rowsOf<{ sum: string }>(
    own.database,
    Prisma.sql`SELECT sum(number) FROM things WHERE workspace_id = ${viewer.workspaceId}::uuid`,
  );
  expect(Number(sum?.sum)).toBe(rows.reduce((total, { number }) => total + 2 * number, 0));
});
