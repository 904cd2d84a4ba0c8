#!/bin/sh
# Makes a cluster as it was at a chosen second, out of a base backup and the archived write-ahead log. The backup is not changed.
#
#   restore.sh BACKUP ARCHIVE DATA TIME
#
# BACKUP is a directory that base.sh made, ended before TIME; ARCHIVE holds the write-ahead log; DATA must not exist; TIME is as
# '2026-05-01 12:00:00+00'. Then start PostgreSQL on DATA: it replays up to TIME and is writable. Run as the account that will run it.
set -eu
backup=$1 archive=$2 data=$3 time=$4
[ ! -e "$data" ] || { echo "restore.sh: $data exists already" >&2; exit 1; }
[ -f "$backup/PG_VERSION" ] || { echo "restore.sh: $backup is no base backup" >&2; exit 1; }
umask 077
cp -a "$backup" "$data"
# What the backup brought of the log is complete as far as it goes; the archive has the rest.
cat >> "$data/postgresql.auto.conf" <<CONF
restore_command = 'cp "$archive/%f" "%p"'
recovery_target_time = '$time'
recovery_target_action = 'promote'
archive_mode = off
CONF
touch "$data/recovery.signal"
