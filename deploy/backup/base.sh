#!/bin/sh
# Takes a base backup of a whole cluster and checks it. With the archived write-ahead log since its beginning the cluster can be
# brought back to any second after its end: see restore.sh.
#
#   base.sh DIRECTORY [KEEP]
#
# The connection is taken from the environment (PGHOST, PGPORT, PGUSER with the right REPLICATION, PGPASSFILE). DIRECTORY gets one
# subdirectory a backup, named by the moment of its beginning; the newest KEEP of them stay (default 7).
set -eu
directory=$1
keep=${2:-7}
PATH="$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1)"
umask 077
mkdir -p "$directory"
name=$(date -u +%Y%m%dT%H%M%SZ)
pg_basebackup --pgdata "$directory/$name.part" --format plain --wal-method stream --checkpoint fast --manifest-checksums SHA256 --no-password
pg_verifybackup --quiet "$directory/$name.part"
mv "$directory/$name.part" "$directory/$name"
echo "$directory/$name"
ls -d "$directory"/*Z | sort -r | tail -n +$((keep + 1)) | while read -r old; do rm -rf "$old"; done
