package main

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/rowhouse/rowhouse/cmd/rowhouse/client"
	"github.com/rowhouse/rowhouse/docs/doctest"
)

var update = flag.Bool("update", false, "write the generated parts of the documentation again")

// The page of the configuration is generated from the flags of the commands that run a service, and the page
// of the command line from those of the client.
func TestConfigurationDocumentation(t *testing.T) {
	t.Parallel()
	var ofClient struct {
		client.Commands `embed:""`

		Key client.KeyCommands `cmd:"" help:"API keys."`
	}
	parser, err := kong.New(&ofClient)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	isClients := map[string]bool{}
	for _, node := range parser.Model.Children {
		eachCommand(node, func(command *kong.Node) {
			isClients[command.Path()] = command.Path() != "key create" // which also creates keys in the database
			writeClientCommand(&b, command)
		})
	}
	doctest.Part(t, "reference/command-line.md", "commands", b.String(), *update)
	b.Reset()
	if parser, err = kong.New(&commands{}, kong.Vars{"scopes": scopeNames()}); err != nil {
		t.Fatal(err)
	}
	for _, node := range parser.Model.Children {
		eachCommand(node, func(command *kong.Node) {
			if !isClients[command.Path()] {
				writeCommand(&b, command)
			}
		})
	}
	doctest.Part(t, "reference/configuration.md", "commands", b.String(), *update)
}

func eachCommand(node *kong.Node, write func(*kong.Node)) {
	if node.Leaf() && !node.Hidden {
		write(node)
	}
	for _, child := range node.Children {
		eachCommand(child, write)
	}
}

// writeClientCommand documents a command with its arguments and flags, without those that the page explains for
// all.
func writeClientCommand(b *strings.Builder, command *kong.Node) {
	fmt.Fprintf(b, "\n### rowhouse %s\n\n%s\n", strings.TrimSpace(command.Path()), command.Help)
	var rows []string
	for _, argument := range command.Positional {
		rows = append(rows, fmt.Sprintf("| %s | %s |", argument.Summary(), doctest.Cell(argument.Help)))
	}
	for _, flag := range command.Flags {
		if flag.Group == nil && flag.Name != "help" && flag.Name != "output" {
			rows = append(rows, fmt.Sprintf("| `--%s` | %s |", flag.Name, doctest.Cell(flag.Help)))
		}
	}
	for i := range rows {
		rows[i] = strings.NewReplacer("<", "`", ">", "`").Replace(rows[i])
	}
	if len(rows) > 0 {
		fmt.Fprintf(b, "\n| argument | meaning |\n|---|---|\n%s\n", strings.Join(rows, "\n"))
	}
}

// writeCommand documents a command: the variables that it reads, and the flags without a variable.
func writeCommand(b *strings.Builder, command *kong.Node) {
	fmt.Fprintf(b, "\n## rowhouse %s\n\n%s\n", strings.TrimSpace(command.Path()), command.Help)
	var rows []string
	for _, flag := range command.Flags {
		if flag.Name == "help" {
			continue
		}
		name := "`--" + flag.Name + "`"
		if len(flag.Envs) > 0 {
			name = "`" + flag.Envs[0] + "`"
		}
		value := flag.Default
		if value != "" {
			value = "`" + value + "`"
		}
		rows = append(rows, fmt.Sprintf("| %s | %s | %s |", name, value, doctest.Cell(flag.Help)))
	}
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\n| name | default | meaning |\n|---|---|---|\n%s\n", strings.Join(rows, "\n"))
}
