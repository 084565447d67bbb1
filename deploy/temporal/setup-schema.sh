#!/bin/sh
# Creates Temporal's two databases and brings their schemas to the version of this tool. Safe to run again: at each
# `docker compose up`, and after an upgrade of Temporal. temporal-sql-tool reads SQL_PLUGIN, SQL_HOST, SQL_PORT,
# SQL_USER and SQL_PASSWORD; the server calls the databases DBNAME and VISIBILITY_DBNAME.
set -eu

prepare() { # <database> <schema that the tool carries>
  temporal-sql-tool --db "$1" create-database
  # Keeps the version of an existing schema.
  temporal-sql-tool --db "$1" setup-schema --version 0.0
  temporal-sql-tool --db "$1" update-schema --schema-name "postgresql/v12/$2"
}

prepare "${DBNAME:-temporal}" temporal
prepare "${VISIBILITY_DBNAME:-temporal_visibility}" visibility
