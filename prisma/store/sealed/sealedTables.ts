/** A table whose `bytea` column `column` is sealed with ENCRYPTION_KEY; `key_id` has the key's id. */
export interface SealedTable {
  column: string;
  /** The columns that are bound into the seal; together they are unique. */
  row: Readonly<Record<string, 'uuid' | 'text' | 'bytea'>>;
}

/** All of them, for `keys rotate`. test/embedded/rotateKeys.test.ts compares them with the schema. */
export const SEALED_TABLES = {
  app_secrets: { column: 'secret', row: { workspace_id: 'uuid', app_id: 'uuid' } },
  connections: { column: 'credentials', row: { workspace_id: 'uuid', id: 'uuid' } },
  deleted_connections: { column: 'credentials', row: { workspace_id: 'uuid', id: 'uuid' } },
  connection_authorizations: { column: 'sealed', row: { state_hash: 'bytea' } },
  event_subscriptions: { column: 'secret', row: { workspace_id: 'uuid', id: 'uuid' } },
  idempotency_keys: { column: 'sealed_body', row: { workspace_id: 'uuid', operation: 'text', key: 'text' } },
  outgoing_mails: { column: 'sealed', row: { id: 'uuid' } },
  second_factors: { column: 'secret', row: { user_id: 'uuid' } },
  sso_logins: { column: 'code_verifier', row: { state_hash: 'bytea' } },
  variables: { column: 'sealed', row: { workspace_id: 'uuid', id: 'uuid' } },
} as const satisfies Record<string, SealedTable>;

export type SealedTableName = keyof typeof SEALED_TABLES;

/** The key of a row of such a table; `bytea` in hex. */
export type SealedRowId<Name extends SealedTableName = SealedTableName> = Readonly<
  Record<keyof (typeof SEALED_TABLES)[Name]['row'], string>
>;
