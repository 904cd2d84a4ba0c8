#!/bin/sh
# Writes the scripts that complete command lines into a folder, under the names that the shells look for.
set -eu
mkdir -p "$1"
GOWORK=off go build -o "$1/../rowhouse-completion" ./cmd/rowhouse-client
"$1/../rowhouse-completion" completion bash > "$1/rowhouse.bash"
"$1/../rowhouse-completion" completion zsh > "$1/_rowhouse"
"$1/../rowhouse-completion" completion fish > "$1/rowhouse.fish"
rm "$1/../rowhouse-completion"
