import { Problem } from '../../../domain/problem.ts';
import { takeLoginToken } from '../../../prisma/store/loginToken/takeLoginToken.ts';
import { cameIn } from '../../access/cameIn.ts';
import { hashToken } from '../../access/oneTimeToken.ts';
import { sessionOrSecondFactor } from '../../access/sessionOrSecondFactor.ts';
import type { PublicOperation } from '../../operation.ts';

export const loginWithToken: PublicOperation<'loginWithToken'> = async ({ body, ip, services, told }) => {
  const taken = await takeLoginToken(services.database, hashToken(body.token));
  if (!taken) throw new Problem('UNAUTHENTICATED', 'The token is unknown, used or expired; log in again');
  const { asksSecondFactor, ...member } = taken;
  if (!asksSecondFactor) cameIn(told, member);
  return sessionOrSecondFactor(services, { ...member, ip }, asksSecondFactor);
};
