#!/bin/sh
# Runs once, on an empty data directory: the owner who migrates, the user of the API (docs/operate/postgres.md), and Temporal's own with its databases.
set -eu
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" \
  -v owner="$DATABASE_PASSWORD" -v api="$API_DATABASE_PASSWORD" -v temporal="$TEMPORAL_DATABASE_PASSWORD" <<'SQL'
create role marketplace_app nologin;
create role marketplace_platform nologin;
grant marketplace_app to marketplace_platform;
create role marketplace login password :'owner';
grant marketplace_app, marketplace_platform to marketplace;
grant pg_read_all_stats to marketplace;
create role marketplace_api login password :'api';
grant marketplace_app to marketplace_api;
create database marketplace owner marketplace;
create role temporal login password :'temporal';
create database temporal owner temporal;
create database temporal_visibility owner temporal;
SQL
