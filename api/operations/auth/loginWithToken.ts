import { Problem } from '../../../domain/problem.ts';
import { takeLoginToken } from '../../../prisma/store/loginToken/takeLoginToken.ts';
import { hashToken } from '../../access/oneTimeToken.ts';
import { sessionOrSecondFactor } from '../../access/sessionOrSecondFactor.ts';
import type { PublicOperation } from '../../operation.ts';

export const loginWithToken: PublicOperation<'loginWithToken'> = async ({ body, services }) => {
  const taken = await takeLoginToken(services.database, hashToken(body.token));
  if (!taken) throw new Problem('UNAUTHENTICATED', 'The token is unknown, used or expired; log in again');
  const { asksSecondFactor, ...member } = taken;
  return sessionOrSecondFactor(services, member, asksSecondFactor);
};
