#!/bin/sh
# Installs what a development machine lacks, from its Debian or Ubuntu; does nothing when all is there.
#
#   deploy/local/install.sh postgres redis [chromium headless emoji]
#
# Rowhouse runs servers of its own, so this starts none and makes no cluster, whatever the packages would do.
set -eu

oldest=15 # PostgreSQL's major version

main() {
	missing=
	for part in "$@"; do
		present "$part" || missing="$missing $(package "$part")"
	done
	[ -n "$missing" ] || return 0

	have apt-get || fail "missing:$missing. This machine has no apt-get; install them with its own package manager."
	if [ "$(id -u)" = 0 ]; then
		as_root=
	elif have sudo; then
		as_root=sudo
	else
		fail "missing:$missing. Installing takes root, and there is no sudo. As root, run: $0 $*"
	fi
	echo "Installing what is missing:$missing"
	# shellcheck disable=SC2086 # Nothing is no word at all; the packages are several.
	$as_root sh "$0" --packages $missing

	# Some packages only point to another installer, which may not have come through.
	for part in "$@"; do
		present "$part" || fail "$part is still missing after the installation of $(package "$part")"
	done
}

# The part of main that needs root.
install_packages() {
	undo=
	trap 'eval "$undo"' EXIT
	trap 'exit 1' HUP INT TERM
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq
	if ! offered chromium-headless-shell; then
		# shellcheck disable=SC2046 # The packages are several words.
		set -- $(printf '%s\n' "$@" | grep -vx chromium-headless-shell)
		[ $# -gt 0 ] || return 0
	fi

	case " $* " in *" postgresql "*)
		offered=$(apt-cache depends postgresql | sed -n 's/^ *Depends: postgresql-\([0-9][0-9]*\)$/\1/p')
		[ "${offered:-0}" -ge $oldest ] ||
			fail "this release offers PostgreSQL ${offered:-not at all}, and Rowhouse needs $oldest or newer: see https://wiki.postgresql.org/wiki/Apt"
		settings=/etc/postgresql-common/createcluster.d
		mkdir -p $settings
		echo 'create_main_cluster = false' >$settings/rowhouse.conf
		undo="$undo rm -f $settings/rowhouse.conf;"
		;;
	esac

	# Packages ask this file whether they may start what they bring. One that is there already has its reasons.
	policy=/usr/sbin/policy-rc.d
	if [ ! -e $policy ]; then
		printf '#!/bin/sh\nexit 101\n' >$policy
		chmod 755 $policy
		undo="$undo rm -f $policy;"
	fi
	log=$(mktemp)
	undo="$undo rm -f $log;"
	apt-get install -y -qq --no-install-recommends "$@" </dev/null >"$log" 2>&1 || {
		tail -n 20 "$log" >&2
		fail "apt-get install $* failed"
	}

	case " $* " in *" redis-server "*)
		# Nor at the next boot.
		! have systemctl || systemctl disable redis-server >/dev/null 2>&1 || true
		;;
	esac
}

package() {
	case $1 in
	postgres) echo postgresql ;;
	redis) echo redis-server ;;
	chromium) echo chromium ;;
	headless) echo chromium-headless-shell ;;
	emoji) echo fonts-noto-color-emoji ;;
	esac
}

present() {
	case $1 in
	postgres) have_postgres ;;
	redis) have redis-server || have valkey-server ;;
	chromium) have chromium || have chromium-browser || have google-chrome ;;
	headless) have chromium-headless-shell || ! offered chromium-headless-shell ;;
	emoji) find /usr/share/fonts /usr/local/share/fonts -iname '*emoji*' 2>/dev/null | grep -q . ;;
	*) fail "unknown part '$1'; known are postgres, redis, chromium, headless, emoji" ;;
	esac
}

# The distribution keeps PostgreSQL's programs off PATH, a directory for each version.
have_postgres() {
	for program in /usr/lib/postgresql/*/bin/postgres "$(command -v postgres)"; do
		if [ ! -x "$program" ] || [ ! -x "$(dirname "$program")/initdb" ]; then continue; fi
		major=$("$program" --version | sed -n 's/^postgres (PostgreSQL) \([0-9][0-9]*\).*/\1/p')
		[ "${major:-0}" -ge $oldest ] && return 0
	done
	return 1
}

# Some distributions lack a package that is only an advantage. Without lists of packages nobody knows yet.
offered() {
	have apt-cache || return 1
	[ -n "$(find /var/lib/apt/lists -name '*_Packages*' 2>/dev/null | head -1)" ] || return 0
	apt-cache show "$1" >/dev/null 2>&1
}

have() { command -v "$1" >/dev/null 2>&1; }

fail() {
	echo "install.sh: $*" >&2
	exit 1
}

if [ "${1:-}" = --packages ]; then
	shift
	install_packages "$@"
else
	main "$@"
fi
