import { queryOptions } from '@tanstack/react-query';
import type { Answer, components } from 'perdure-client';
import { pagesOf } from '../../app/api/pages.ts';
import { client } from '../../app/session/session.ts';

const ROW = 'slug,isDefault,updatedAt,connectionId,status,isManaged,assignments,workflowAppId,workflowApp';

export type Connection = Answer<'listConnections'>[number];
export type ConnectionType = components['schemas']['ConnectionType'];
export type Subject = components['schemas']['Subject'];

export const CONNECTION_LIST = ['listConnections'];

/** `all` includes other people's managed connections, if the person may see them. */
export const connectionPages = (appId: string | undefined, all: boolean) =>
  pagesOf('listConnections', {
    query: {
      expansion: `name,${ROW}`,
      ...(appId === undefined ? {} : { filterBy: `workflowAppId:${appId}` }),
      ...(all ? { includeType: 'all' } : {}),
    },
  });

export const connectionTicket = (ticket: string) =>
  queryOptions({
    queryKey: ['readConnectionTicket', ticket],
    queryFn: ({ signal }) => client.readConnectionTicket({ body: { ticket }, signal }),
    retry: false,
  });

const MAX_APPS = 1_000;

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

/** Whether the person grants access in the browser. Connection types without the field have no other grant. */
export const needsBrowser = ({ type }: ConnectionType, credentials: Record<string, unknown>): boolean =>
  type === 'oauth2' && (credentials.grant ?? 'authorizationCode') === 'authorizationCode';

/** Lists are entered with commas or as JSON: `a.example, b.example`. */
export function formFields({ fields }: ConnectionType): ConnectionType['fields'] {
  return fields.map((field) => (field.type === 'json' ? { ...field, type: 'text' } : field));
}

export type Credentials = components['schemas']['Credentials'];

/** Converts the values of `formFields` to the API's form. Throws SyntaxError if a list is invalid JSON. */
export function credentialsOf({ fields }: ConnectionType, values: Record<string, unknown>): Credentials {
  const lists = new Set(fields.filter(({ type }) => type === 'json').map(({ key }) => key));
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      lists.has(key) && typeof value === 'string' && value.trim().startsWith('[') ? JSON.parse(value) : value,
    ]),
  ) as Credentials;
}

/** Maps errors of the server, or of the app (`allowedHosts: …`), to the keys of their fields. */
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
