import { refusalOf } from '../../../domain/execution/submission.ts';
import type { Submitters } from '../../../domain/workflow/submitters.ts';
import type { Me } from '../../app/api/me.ts';
import { personId } from '../../app/storage/personId.ts';
import type { OpenQuestion } from '../executions/queries/executions.ts';

type Asked = Pick<OpenQuestion, 'submitters' | 'approvals'>;

/** Whether the user may answer the question. Only the API can check the exclusion of the starter. */
export function mayAnswer(me: Me, { submitters = 'anyone', approvals }: Asked): boolean {
  const id = personId(me);
  const rule = {
    submitters: submitters as Submitters,
    required: approvals?.required ?? 1,
    excludeStarter: false,
  };
  const person = 'id' in me ? { email: me.email, role: me.role } : { email: null, role: null };
  const by = { type: 'id' in me ? ('user' as const) : ('apiKey' as const), id, name: '' };
  return refusalOf(rule, { by, person: id, ...person, permissions: new Set(me.permissions) }, []) === undefined;
}
