import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Loading } from '../../ui/Loading.tsx';
import { ME } from '../api/me.ts';
import { NotAllowed } from '../pages/NotAllowed.tsx';
import { mayOpen } from '../pages/places.ts';

/** Requests nothing before the permissions are known: a refusal would be in the audit log. */
export function Judged({ children }: { children: ReactNode }) {
  const { data: me, isPending, errorUpdateCount } = useQuery(ME);
  const { pathname } = useLocation();
  // If the API does not answer, the page itself reports it.
  const isUnread = me === undefined && (!isPending || errorUpdateCount > 0);
  if (isUnread || mayOpen(pathname, me?.permissions ?? [])) return children;
  return me === undefined ? <Loading /> : <NotAllowed />;
}
