import { loginSubjects } from '../../../domain/access/loginLimit.ts';
import { Problem } from '../../../domain/problem.ts';
import { enrolSecondFactor } from '../../../prisma/store/secondFactor/enrolSecondFactor.ts';
import { removeSecondFactor } from '../../../prisma/store/secondFactor/removeSecondFactor.ts';
import { replaceBackupCodes } from '../../../prisma/store/secondFactor/replaceBackupCodes.ts';
import { readCurrentUser } from '../../../prisma/store/user/readCurrentUser.ts';
import { recordFailure, refuseBlocked } from '../../access/loginFailures.ts';
import { provePassword } from '../../access/provePassword.ts';
import { makeBackupCodes, makeEnrolment, sealSecret, useSecondFactor } from '../../access/secondFactor.ts';
import type { Caller, Operation } from '../../operation.ts';
import type { Services } from '../../services.ts';

/** What each of these operations knows of its request. */
interface Request {
  caller: Caller;
  ip: string;
  signal: AbortSignal;
  services: Services;
}

interface Person {
  userId: string;
  email: string;
}

export const enrollSecondFactor: Operation<'enrollSecondFactor'> = async ({ body, ...request }) => {
  const { userId, email } = await personOf(request);
  await requirePassword(request, email, body.password);
  const { database, sealer } = request.services;
  const enrolment = makeEnrolment(email);
  if (!(await enrolSecondFactor(database, userId, sealSecret(sealer, userId, enrolment.secret)))) {
    throw new Problem('CONFLICT', 'You have a second factor already: disable it before you enrol another device');
  }
  return enrolment;
};

export const confirmSecondFactor: Operation<'confirmSecondFactor'> = async ({ body, ...request }) => {
  const person = await personOf(request);
  await requireCode(request, person, body.token, { unconfirmed: true });
  return { backupCodes: await newBackupCodes(request, person) };
};

export const disableSecondFactor: Operation<'disableSecondFactor'> = async ({ body, ...request }) => {
  const person = await personOf(request);
  await requirePassword(request, person.email, body.password);
  await requireCode(request, person, body.token);
  await removeSecondFactor(request.services.database, person.userId);
  return { twoFactorEnabled: false };
};

export const renewBackupCodes: Operation<'renewBackupCodes'> = async ({ body, ...request }) => {
  const person = await personOf(request);
  await requireCode(request, person, body.token);
  return { backupCodes: await newBackupCodes(request, person) };
};

async function personOf({ caller, services }: Request): Promise<Person> {
  if (caller.kind !== 'user')
    throw new Problem('FORBIDDEN', 'Only a person has a second factor: call with an access token');
  const found = await readCurrentUser(services.database, caller.workspaceId, caller.userId);
  if (!found) throw new Problem('UNAUTHENTICATED', 'The membership is gone');
  return { userId: caller.userId, email: found.email };
}

/** Wrong ones count as failed logins: who has found an access token cannot guess the password here. */
async function requirePassword({ ip, signal, services }: Request, email: string, password: string): Promise<void> {
  await provePassword({ email, password, ip, signal, services }, () =>
    wrong('password', 'expected your present password'),
  );
}

async function requireCode(
  { ip, services }: Request,
  { userId, email }: Person,
  token: string,
  which: { unconfirmed?: boolean } = {},
): Promise<void> {
  const subjects = loginSubjects(email, ip);
  await refuseBlocked(services.database, subjects);
  if (await useSecondFactor(services, userId, token, which)) return;
  await recordFailure(services.database, subjects);
  throw wrong('token', 'expected the code that your authenticator app shows now, each once');
}

async function newBackupCodes({ services: { database } }: Request, { userId }: Person): Promise<string[]> {
  const { codes, hashes } = makeBackupCodes();
  await replaceBackupCodes(database, userId, hashes);
  return codes;
}

function wrong(path: string, message: string): Problem {
  return new Problem('VALIDATION_FAILED', `The ${path} is wrong`, { errors: [{ path, message }] });
}
