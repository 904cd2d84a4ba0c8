#!/bin/sh
# Rehearses the backup: makes a cluster of its own with Rowhouse's database, takes a base backup under writes, notes a second and
# what every table holds then, destroys data, restores to that second, and compares. Everything is under a temporary directory
# and on a free port of 127.0.0.1, and is removed at the end.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH="$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1)"
work=$(mktemp -d)
as=""
if [ "$(id -u)" = 0 ]; then # PostgreSQL refuses to run as root
	account=postgres
	id "$account" > /dev/null 2>&1 || account=nobody
	as="runuser -u $account --"
	chown "$account" "$work"
fi
end() {
	for data in "$work"/data "$work"/restored; do
		[ ! -f "$data/postmaster.pid" ] || $as pg_ctl -D "$data" -m immediate stop > /dev/null 2>&1 || true
	done
	rm -rf "$work"
}
trap end EXIT
cd "$work"
# A port that is free now; the cluster listens on it before anybody else is likely to.
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])' 2>/dev/null || echo $((20000 + $$ % 20000)))
export PGHOST=127.0.0.1 PGPORT=$port PGUSER=postgres
binary=${ROWHOUSE:-$work/rowhouse}
[ -x "$binary" ] || (cd "$root" && go build -o "$binary" ./cmd/rowhouse)

$as mkdir archive
$as initdb -D data -U postgres --auth trust --encoding UTF8 --locale C > initdb.log
$as sh -c "cat >> data/postgresql.conf" <<CONF
listen_addresses = '127.0.0.1'
port = $port
unix_socket_directories = ''
wal_level = replica
archive_mode = on
archive_command = 'test ! -f $work/archive/%f && cp %p $work/archive/%f.part && mv $work/archive/%f.part $work/archive/%f'
archive_timeout = 5
CONF
$as pg_ctl -D data -l "$work/data/server.log" -w start > /dev/null
DATABASE_URL="postgres://rowhouse:rehearsal@127.0.0.1:$port/rowhouse" \
	ADMIN_DATABASE_URL="postgres://postgres@127.0.0.1:$port/postgres" "$binary" migrate
export PGDATABASE=rowhouse PGOPTIONS='-c client_min_messages=warning'

write() { # write people, and a record table of one organization, as many as it is told
	psql -qX -v ON_ERROR_STOP=1 <<SQL
create schema if not exists org_rehearsal;
create table if not exists org_rehearsal.t_1 (id uuid primary key, f_1 text, f_2 double precision, at timestamptz default clock_timestamp());
insert into rowhouse.person (id, email, name) select gen_random_uuid(), gen_random_uuid() || '@example.com', 'Person ' || i from generate_series(1, $1) i;
insert into org_rehearsal.t_1 (id, f_1, f_2) select gen_random_uuid(), md5(i::text), random() from generate_series(1, $1) i;
SQL
}
# hashes lists every table with the number of its rows and a hash of all of them.
hashes() {
	psql -qXAt -v ON_ERROR_STOP=1 -c "select format('select %L, count(*), md5(string_agg(t::text, chr(10) order by t::text)) from %I.%I t',
		schemaname || '.' || tablename, schemaname, tablename) from pg_tables
		where schemaname = 'rowhouse' or schemaname like 'org\\_%' order by 1" | while read -r query; do psql -qXAt -c "$query"; done
}

write 20000
(while [ ! -f stop ]; do write 50; done) &
writer=$!
backup=$($as "$here/base.sh" "$work/backups")
sleep 2
touch stop && wait "$writer"
hashes > before
sleep 1
moment=$(psql -qXAt -c "select now()")
sleep 1
echo "The second to go back to: $moment, $(awk -F'|' '{n += $2} END {print n}' before) rows in $(wc -l < before) tables."

# The accident, and life after it.
psql -qX -v ON_ERROR_STOP=1 -c "drop table org_rehearsal.t_1; delete from rowhouse.person where name like '%1%'"
write 500
psql -qX -c "select pg_switch_wal()" > /dev/null
for _ in $(seq 60); do # until the log is archived
	[ "$(psql -qXAt -c "select last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 1) from pg_stat_archiver")" = t ] && break
	sleep 0.5
done
$as pg_ctl -D data -m immediate stop > /dev/null

began=$(date +%s)
$as "$here/restore.sh" "$backup" "$work/archive" "$work/restored" "$moment"
$as pg_ctl -D restored -l "$work/restored/server.log" -w -t 300 start > /dev/null
until [ "$(psql -qXAt -c 'select pg_is_in_recovery()')" = f ]; do sleep 0.2; done
hashes > after
took=$(($(date +%s) - began))
if cmp -s before after; then
	echo "Restored in $took s: every table has the rows that it had, hash by hash."
else
	echo "The restored data differ:" >&2
	diff before after >&2 || true
	exit 1
fi
[ -z "${REPORT:-}" ] || echo "| Backup restored to a chosen second | $(awk -F'|' '{n += $2} END {print n}' before) rows in $(wc -l < before) tables, base backup taken under writes, a table dropped and rows deleted after the second: equal hashes, restored in $took s | held |" >> "$REPORT"
