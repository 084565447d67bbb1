import type { SealedRowId, SealedTableName } from '../../prisma/store/sealed/sealedTables.ts';

declare const isPlace: unique symbol;

/** The place that is bound into a seal. Built only here, so that key rotation covers every sealed value. */
export type SealPlace = string & { readonly [isPlace]: true };

const PLACES: { [Name in SealedTableName]: (row: SealedRowId<Name>) => string } = {
  app_secrets: ({ workspace_id, app_id }) => `app ${workspace_id}/${app_id}`,
  connections: ({ workspace_id, id }) => `${workspace_id}/${id}`,
  // Deleted connections are moved with the same seal.
  deleted_connections: ({ workspace_id, id }) => `${workspace_id}/${id}`,
  connection_authorizations: ({ state_hash }) => `authorization ${state_hash}`,
  event_subscriptions: ({ workspace_id, id }) => `event subscription ${workspace_id}/${id}`,
  idempotency_keys: ({ workspace_id, operation, key }) => `answer ${workspace_id} ${operation} ${key}`,
  outgoing_mails: ({ id }) => `mail ${id}`,
  second_factors: ({ user_id }) => `second factor of ${user_id}`,
  variables: ({ workspace_id, id }) => `variable ${workspace_id}/${id}`,
  sso_logins: ({ state_hash }) => `single sign-on ${state_hash}`,
};

/** Returns the place of a row; ids must be in lower case, as in Postgres. */
export function sealPlace<Name extends SealedTableName>(table: Name, row: SealedRowId<Name>): SealPlace {
  return PLACES[table](row) as SealPlace;
}

/** Returns the place of a list's cursor. It has no row, so a removed key invalidates its cursors. */
export function cursorPlace(workspaceId: string): SealPlace {
  return `cursor ${workspaceId}` as SealPlace;
}

export function mailPlace(id: string): SealPlace {
  return sealPlace('outgoing_mails', { id });
}
