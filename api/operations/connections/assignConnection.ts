import { ROLES } from '../../../domain/access/permission.ts';
import { pathTo } from '../../../domain/place.ts';
import { Problem } from '../../../domain/problem.ts';
import { assignSubjects } from '../../../prisma/store/connection/assignments.ts';
import { CONNECTION } from '../../../prisma/store/connection/resource.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import type { Operation } from '../../operation.ts';

export const assignConnection: Operation<'assignConnection'> = async ({ caller, params, body, services }) => {
  const { subjects } = body;
  const roles: readonly string[] = ROLES;
  const noRoles = subjects.flatMap(({ type, id }, place) => (type === 'role' && !roles.includes(id) ? [place] : []));
  if (noRoles.length > 0) throw unknown(noRoles, `expected a role: ${ROLES.join(', ')}`);
  const { database } = services;
  const { isThere, absent } = await assignSubjects(database, caller, params.connectionId, subjects);
  if (!isThere) throw notFound(CONNECTION);
  if (absent.length > 0) throw unknown(absent, 'expected the id of a person or an API key of the workspace');
  return { subjects };
};

function unknown(places: readonly number[], message: string): Problem {
  return new Problem('VALIDATION_FAILED', 'A subject is unknown', {
    errors: places.map((place) => ({ path: pathTo(pathTo(pathTo('', 'subjects'), place), 'id'), message })),
  });
}
