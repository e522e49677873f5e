#!/usr/bin/env bash
# What compose.yaml uses of the entrypoint of docker.io/library/postgres. Source of the contract:
# github.com/docker-library/postgres, docker-entrypoint.sh. compose.yaml sets the user, so nothing here runs as root.
set -Eeo pipefail

# The value is that of the variable or that of the file, never both. The name of the file is gone afterwards.
read_variable() {
  local name="$1" file_name="$1_FILE" value="${2:-}"
  if [ "${!name:-}" ] && [ "${!file_name:-}" ]; then
    echo "error: both $name and $file_name are set" >&2
    exit 1
  fi
  if [ "${!name:-}" ]; then value="${!name}"; fi
  if [ "${!file_name:-}" ]; then value="$(cat "${!file_name}")"; fi
  export "$name"="$value"
  unset "$file_name"
}

if [ "$1" = postgres ]; then
  read_variable POSTGRES_PASSWORD
  read_variable POSTGRES_USER postgres
  read_variable POSTGRES_DB "$POSTGRES_USER"
  read_variable POSTGRES_INITDB_ARGS
  mkdir -p "$PGDATA"
  chmod 0700 "$PGDATA" || true
  chmod 3775 /var/run/postgresql || true

  if [ -s "$PGDATA/PG_VERSION" ]; then
    echo 'PostgreSQL Database directory appears to contain a database; Skipping initialization'
  else
    if [ -z "$POSTGRES_PASSWORD" ]; then
      echo 'Error: Database is uninitialized and superuser password is not specified.' >&2
      exit 1
    fi
    eval 'initdb --username="$POSTGRES_USER" --pwfile=<(printf "%s\n" "$POSTGRES_PASSWORD")' "$POSTGRES_INITDB_ARGS"
    printf '\nhost all all all %s\n' "$(postgres -C password_encryption)" >> "$PGDATA/pg_hba.conf"
    # Until the scripts have run, the server has no address.
    export PGPASSWORD="$POSTGRES_PASSWORD"
    pg_ctl -D "$PGDATA" -o "-c listen_addresses=''" -w start
    for file in /docker-entrypoint-initdb.d/*; do
      case "$file" in
        *.sh)
          # A script that may not be executed becomes a part of this one, with its options and its variables.
          if [ -x "$file" ]; then
            echo "$0: running $file"
            "$file"
          else
            echo "$0: sourcing $file"
            . "$file"
          fi
          ;;
        *) echo "$0: this stand-in runs only shell scripts, not $file" >&2 && exit 1 ;;
      esac
    done
    pg_ctl -D "$PGDATA" -m fast -w stop
    unset PGPASSWORD
    echo 'PostgreSQL init process complete; ready for start up.'
  fi
fi

exec "$@"
