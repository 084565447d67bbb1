import { queryOptions } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import type { Me } from '../../app/api/me.ts';
import { pagesOf } from '../../app/api/pages.ts';
import { client } from '../../app/session/session.ts';

/** A person; an API key has no account. */
export type Person = Extract<Me, { email: string }>;
export type Session = Answer<'listSessions'>[number];
export type OwnInvitation = Answer<'listInvitations'>[number];

export const sessionPages = () => pagesOf('listSessions', {});

export function ownInvitations() {
  return queryOptions({
    queryKey: ['listInvitations'],
    queryFn: ({ signal }) => client.listInvitations({ signal }),
  });
}

/** Ends all sessions here but this one; answers how many. */
export async function endOtherSessions(): Promise<number> {
  let ended = 0;
  for await (const { id, isCurrent } of client.paginate('listSessions')) {
    if (isCurrent) continue;
    await client.revokeSession({ path: { sessionId: id } });
    ended += 1;
  }
  return ended;
}
