import { queryOptions } from '@tanstack/react-query';
import type { Answer, components } from 'perdure-client';
import { pagesOf } from '../../app/api/pages.ts';
import { client } from '../../app/session/session.ts';

const ROW = 'slug,isDefault,updatedAt,connectionId,status,isManaged,assignments,workflowAppId,workflowApp';

export type Connection = Answer<'listConnections'>[number];
export type ConnectionType = components['schemas']['ConnectionType'];
export type Subject = components['schemas']['Subject'];

export const CONNECTION_LIST = ['listConnections'];

/** Connections, of one app or of all; `all` shows managed ones of others too, to whoever may. */
export const connectionPages = (appId: string | undefined, all: boolean) =>
  pagesOf('listConnections', {
    query: {
      expansion: `name,${ROW}`,
      ...(appId === undefined ? {} : { filterBy: `workflowAppId:${appId}` }),
      ...(all ? { includeType: 'all' } : {}),
    },
  });

/** Reads what a ticket connects, without spending it. */
export const connectionTicket = (ticket: string) =>
  queryOptions({
    queryKey: ['readConnectionTicket', ticket],
    queryFn: ({ signal }) => client.readConnectionTicket({ body: { ticket }, signal }),
    retry: false,
  });

const MAX_APPS = 1_000;

/** Apps that can be connected, with the forms of their credentials. */
export function connectableApps() {
  return queryOptions({
    queryKey: ['listWorkflowApps', 'connectable'],
    queryFn: async ({ signal }) => {
      const apps = await client.listWorkflowApps({ query: { limit: MAX_APPS }, signal });
      return apps.filter(({ connectionTypes }) => connectionTypes.length > 0);
    },
    staleTime: 60_000,
  });
}

/** The grant with which a person agrees in the browser; connection types without the field have no other. */
export const needsBrowser = ({ type }: ConnectionType, credentials: Record<string, unknown>): boolean =>
  type === 'oauth2' && (credentials.grant ?? 'authorizationCode') === 'authorizationCode';

/** Lists of texts are written with commas, or as JSON: `a.example, b.example`. */
export function formFields({ fields }: ConnectionType): ConnectionType['fields'] {
  return fields.map((field) => (field.type === 'json' ? { ...field, type: 'text' } : field));
}

export type Credentials = components['schemas']['Credentials'];

/** What a form of `formFields` gave, as the API takes it. Throws SyntaxError for a list that is not JSON. */
export function credentialsOf({ fields }: ConnectionType, values: Record<string, unknown>): Credentials {
  const lists = new Set(fields.filter(({ type }) => type === 'json').map(({ key }) => key));
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      lists.has(key) && typeof value === 'string' && value.trim().startsWith('[') ? JSON.parse(value) : value,
    ]),
  ) as Credentials;
}

/** What the server, or the app (`allowedHosts: …`), found wrong, by the key of its field. */
export function fieldProblems(
  { fields }: ConnectionType,
  errors: readonly { path: string; message: string }[],
  message?: string,
): Record<string, string> {
  const byField: Record<string, string> = {};
  for (const { path, message: text } of errors) {
    const key = /^credentials[.[]"?(\w+)/.exec(path)?.[1];
    if (key !== undefined) byField[key] = text;
  }
  const named = /^(\w+): (.+)$/s.exec(message ?? '');
  if (named?.[1] !== undefined && fields.some(({ key }) => key === named[1])) byField[named[1]] = named[2] ?? '';
  return byField;
}
