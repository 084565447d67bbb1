import { expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { hashPassword } from '../../api/access/password.ts';
import { makeBackupCodes } from '../../api/access/secondFactor.ts';
import { replaceBackupCodes } from '../../prisma/store/secondFactor/secondFactors.ts';
import { insertMember } from '../../prisma/store/user/insertMember.ts';
import { setPassword } from '../../prisma/store/user/users.ts';
import { api } from '../setup/api/client.ts';
import { fromElsewhere } from '../setup/api/fromElsewhere.ts';
import { newMember } from '../setup/workspace/people.ts';
import { makeWorkspace, stackDatabase, TEST_HASH_COST } from '../setup/workspace/workspace.ts';

// A password may change while it is being checked. Then the old one proves nothing.

const workspace = await makeWorkspace();
const admin = api(workspace.url, workspace.apiKey);
const nobody = api(workspace.url);
const database = stackDatabase();

/** Checking this hash takes more than a second, longer than everything else meanwhile. */
const SLOW = { N: 2 ** 15, r: 8, p: 15 };
const OLD = 'the old password';

async function slowPerson() {
  const [id, email] = [v7(), `${v7()}@test.local`];
  const passwordHash = await hashPassword(OLD, SLOW);
  await insertMember(database, workspace.workspaceId, { id, email, name: 'Bea', role: 'builder', passwordHash });
  return { id, email, passwordHash };
}

function logIn({ email, password = OLD }: { email: string; password?: string }) {
  return nobody('POST', '/api/auth/login', { body: { email, password }, headers: fromElsewhere() });
}

/** Waits until earlier checks have begun: a later login has completed. */
const othersBegan = () => logIn(workspace);

async function anotherPassword(userId: string) {
  const hash = await hashPassword('the new password', TEST_HASH_COST);
  expect(await setPassword(database, userId, hash, { kept: null })).toBe(true);
  return hash;
}

async function giveFactor(userId: string): Promise<string> {
  const { codes, hashes } = makeBackupCodes();
  await database.secondFactor.create({
    data: { userId, secret: new Uint8Array([1]), keyId: 'k', confirmedAt: new Date() },
  });
  await replaceBackupCodes(database, userId, hashes);
  return String(codes[0]);
}

test('a login by a password that is changed while it is checked begins no session, and none half-way', async () => {
  const [one, withFactor] = [await slowPerson(), await slowPerson()];
  await giveFactor(withFactor.id);
  for (const person of [one, withFactor]) {
    const login = logIn(person);
    await othersBegan();
    await anotherPassword(person.id);
    expect(await login).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  }
});

test('a person who is removed while the password is checked is not logged in', async () => {
  const person = await slowPerson();
  const login = logIn(person);
  await othersBegan();
  expect((await admin('DELETE', `/api/workspace/users/${person.id}`)).status).toBe(200);
  expect(await login).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
});

test('a change of a password that another change has overtaken is refused', async () => {
  const person = await slowPerson();
  const { body } = await logIn(person);
  const change = api(workspace.url, body.access_token)('POST', '/api/users/me/password', {
    body: { password: 'the password of a thief', currentPassword: OLD },
    headers: fromElsewhere(),
  });
  await othersBegan();
  const hash = await anotherPassword(person.id);
  expect(await change).toMatchObject({ status: 400, body: { errors: [{ path: 'currentPassword' }] } });
  expect((await database.user.findUnique({ where: { id: person.id } }))?.passwordHash).toBe(hash);
});

test('a login that waits for its code ends when the password is taken away', async () => {
  const person = await newMember(workspace, 'builder', OLD);
  const token = await giveFactor(person.id);
  const { body } = await logIn(person);
  expect(body).toMatchObject({ requires2FA: true });
  expect((await admin('POST', `/api/workspace/users/${person.id}/invitation`, {})).status).toBe(201);
  const verified = await nobody('POST', '/api/auth/2fa/verify-login', {
    body: { sessionToken: body.sessionToken, token },
    headers: fromElsewhere(),
  });
  expect(verified.status).toBe(401);
});
