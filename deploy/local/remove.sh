#!/bin/sh
# Removes a directory of local services with their data, also where those are kept outside the project.
#
#   deploy/local/remove.sh DIR
set -eu

dir=$1
[ -d "$dir" ] || exit 0
if [ -e "$dir/lock" ] && ! flock -n "$dir/lock" true; then
	echo "remove.sh: $dir is in use; stop what runs there first" >&2
	exit 1
fi
if [ -L "$dir/data" ]; then
	outside=$(readlink "$dir/data")
	case $outside in
	*/rowhouse/*) rm -rf "$outside" ;;
	esac
fi
rm -rf "$dir"
