import { hasPassword } from '../../../prisma/store/user/hasPassword.ts';
import { setPassword } from '../../../prisma/store/user/setPassword.ts';
import { hashPassword } from '../../access/password.ts';
import { personOf, requirePassword, wrong } from '../../access/person.ts';
import type { Operation } from '../../operation.ts';

/** All other sessions of the person end. */
export const changePassword: Operation<'changePassword'> = async ({ body, ...request }) => {
  const { userId, sessionId, email } = await personOf(request);
  const { database } = request.services;
  if (await hasPassword(database, userId)) {
    const { currentPassword } = body;
    if (currentPassword === undefined) throw wrong('currentPassword', 'expected your present password');
    await requirePassword(request, email, currentPassword, 'currentPassword');
  }
  await setPassword(database, userId, await hashPassword(body.password), sessionId);
  return { hasPassword: true };
};
