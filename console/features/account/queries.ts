import { queryOptions } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import type { Me } from '../../app/api/me.ts';
import { pagesOf } from '../../app/api/pages.ts';
import { client } from '../../app/session/session.ts';

export type Person = Extract<Me, { email: string }>;
export type Session = Answer<'listSessions'>[number];
export type OwnInvitation = Answer<'listInvitations'>[number];

export const SESSION_LIST = ['listSessions'];
export const INVITATION_LIST = ['listInvitations'];

export const sessionPages = () => pagesOf('listSessions', {});

export function ownInvitations() {
  return queryOptions({
    queryKey: INVITATION_LIST,
    queryFn: ({ signal }) => client.listInvitations({ signal }),
  });
}
