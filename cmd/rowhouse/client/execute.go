package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"unicode"

	"github.com/alecthomas/kong"
)

// Execute runs a command line and returns its exit status: 0, StatusUsage if it is invalid, or that of its
// error, which it prints. An interrupt is how commands that are no client's are stopped: its status is 0.
func Execute(ctx context.Context, parser *kong.Kong, args []string, to io.Writer) int {
	parsed, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(to, "rowhouse: %v\nTry rowhouse --help.\n", err)
		return StatusUsage
	}
	err = parsed.Run()
	interrupted := errors.Is(err, context.Canceled) && ctx.Err() != nil
	switch {
	case err == nil:
		return 0
	case interrupted && !isClients(parsed.Command()):
		return 0
	case !interrupted:
		fmt.Fprintln(to, "rowhouse:", printable(Message(err)))
	}
	return Status(err)
}

// printable is a text without characters that could control a terminal: a message may quote what others wrote.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}

// isClients reports whether a command is one of Commands.
func isClients(command string) bool {
	name, _, _ := strings.Cut(command, " ")
	commands := reflect.TypeFor[Commands]()
	for i := range commands.NumField() {
		if strings.EqualFold(commands.Field(i).Name, name) {
			return true
		}
	}
	return false
}

// FromFile reads a flag's value from the file that NAME_FILE names, where NAME is the flag's
// environment variable. Container platforms pass secrets as files, because environments are easily
// exposed.
func FromFile(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	for _, name := range flag.Envs {
		path, set := os.LookupEnv(name + "_FILE")
		if !set || path == "" {
			continue
		}
		if os.Getenv(name) != "" {
			return nil, fmt.Errorf("%s and %s_FILE are both set; set one of them", name, name)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("reading %s_FILE: %w", name, err)
		}
		return strings.TrimRight(string(content), "\r\n"), nil
	}
	return nil, nil
}
