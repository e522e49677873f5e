#!/bin/sh
# The PostgreSQL image runs this once, when its volume is empty. The role of the BFF is not a superuser. The image sets PGPASSWORD,
# and removes POSTGRES_PASSWORD_FILE.
set -eu

# On the first start, the server accepts connections through its socket only.
psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set password="$(cat "${DATABASE_PASSWORD_FILE:-/run/secrets/database-password}")" <<'SQL'
create role funding login password :'password';
create database funding owner funding;
SQL
