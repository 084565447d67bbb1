import { Problem } from '../../../domain/problem.ts';
import { cameIn } from '../../access/cameIn.ts';
import { normalizeEmail } from '../../access/email.ts';
import { provePassword } from '../../access/provePassword.ts';
import { sessionOrSecondFactor } from '../../access/sessionOrSecondFactor.ts';
import { refusePasswordLogin } from '../../access/sso/passwordLogins.ts';
import type { PublicOperation } from '../../operation.ts';

export const login: PublicOperation<'login'> = async ({ body, ip, signal, services, told }) => {
  const email = normalizeEmail(body.email);
  told.email = email;
  refusePasswordLogin(services.config, email);
  const { password, workspaceId } = body;
  const wrong = () => new Problem('UNAUTHENTICATED', 'The e-mail address or the password is wrong');
  const { userId, membership, hasSecondFactor } = await provePassword(
    { email, password, workspaceId, ip, signal, services },
    wrong,
  );
  if (!membership) throw new Problem('UNAUTHENTICATED', 'You are not a member of the workspace');
  const member = { ...membership, userId };
  if (!hasSecondFactor) cameIn(told, member);
  return sessionOrSecondFactor(services, { ...member, ip }, hasSecondFactor);
};
