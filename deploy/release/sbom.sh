#!/bin/sh
# Lists what a binary is made of (CycloneDX). Both names are relative to the folder in which it runs.
set -eu
here=$PWD
cd "$ROOT"
GOWORK=off go tool -modfile=deploy/tool/go.mod cyclonedx-gomod bin -json -std -noserial -output-version 1.6 \
	-output "$here/$2" "$(realpath "$here/$1" 2>/dev/null || echo "$1")"
