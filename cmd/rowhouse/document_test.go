package main

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/rowhouse/rowhouse/docs/doctest"
)

var update = flag.Bool("update", false, "write the generated parts of the documentation again")

// The page of the configuration is generated from the flags of the commands.
func TestConfigurationDocumentation(t *testing.T) {
	t.Parallel()
	parser, err := kong.New(&commands{}, kong.Vars{"scopes": scopeNames()})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var visit func(node *kong.Node)
	visit = func(node *kong.Node) {
		if node.Leaf() {
			writeCommand(&b, node)
		}
		for _, child := range node.Children {
			visit(child)
		}
	}
	visit(parser.Model.Node)
	doctest.Part(t, "reference/configuration.md", "commands", b.String(), *update)
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
