import { Problem } from '../../../domain/problem.ts';
import {
  enrolSecondFactor,
  removeSecondFactor,
  replaceBackupCodes,
} from '../../../prisma/store/secondFactor/secondFactors.ts';
import { type Person, type PersonRequest, personOf, requirePassword } from '../../access/person.ts';
import { requireCode } from '../../access/requireCode.ts';
import { makeBackupCodes, makeEnrolment, sealSecret } from '../../access/secondFactor.ts';
import type { Operation } from '../../operation.ts';

export const enrollSecondFactor: Operation<'enrollSecondFactor'> = async ({ body, ...request }) => {
  const { userId, email } = await personOf(request);
  await requirePassword(request, email, body.password);
  const { database, sealer } = request.services;
  const enrolment = makeEnrolment(email);
  if (!(await enrolSecondFactor(database, userId, sealSecret(sealer, userId, enrolment.secret)))) {
    throw new Problem('CONFLICT', 'You already have a second factor: disable it before you enrol another device');
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

async function newBackupCodes({ services: { database } }: PersonRequest, { userId }: Person): Promise<string[]> {
  const { codes, hashes } = makeBackupCodes();
  await replaceBackupCodes(database, userId, hashes);
  return codes;
}
