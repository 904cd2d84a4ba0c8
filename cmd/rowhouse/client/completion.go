package client

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"
)

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

func (completionCommand) Help() string {
	return `Examples:

  source <(rowhouse completion bash)          # in ~/.bashrc
  source <(rowhouse completion zsh)           # in ~/.zshrc
  rowhouse completion fish | source           # in ~/.config/fish/config.fish

It completes commands, flags, and the names of bases, tables and fields of the service.`
}

// scripts ask the hidden command complete for what may follow. Where it knows nothing, the shell offers files.
var scripts = map[string]string{
	"bash": `_rowhouse() {
	local IFS=$'\n' word
	COMPREPLY=()
	for word in $(rowhouse complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null); do
		COMPREPLY+=("$(printf %q "$word")")
	done
}
complete -o default -F _rowhouse rowhouse
`,
	"zsh": `#compdef rowhouse
_rowhouse() {
	local -a found
	found=("${(@f)$(rowhouse complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
	if [[ -n "${found[1]}" ]]; then
		compadd -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' -- "${found[@]}"
	else
		_files
	fi
}
if [[ "${funcstack[1]}" = _rowhouse ]]; then _rowhouse "$@"; else compdef _rowhouse rowhouse; fi
`,
	"fish": `complete -c rowhouse -f -a '(rowhouse complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
complete -c rowhouse -F -n '__fish_seen_subcommand_from apply import'
`,
}

func (c *completionCommand) Run(to Streams) error {
	fmt.Fprint(to.Out, scripts[c.Shell])
	return nil
}

type completeCommand struct {
	connection `embed:""`

	Words []string `arg:"" optional:"" passthrough:""`
}

// completionTime is how long a person waits for names of the service.
const completionTime = 3 * time.Second

// Run prints what may be written in place of the last word.
func (c *completeCommand) Run(ctx context.Context, parsed *kong.Context, to Streams) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	if len(words) == 0 {
		words = []string{""}
	}
	for i, word := range words {
		words[i] = unquoted(word)
	}
	last := words[len(words)-1]
	ctx, cancel := context.WithTimeout(ctx, completionTime)
	defer cancel()
	for _, candidate := range c.candidates(ctx, parsed.Model.Node, words) {
		if strings.HasPrefix(strings.ToLower(candidate), strings.ToLower(last)) {
			fmt.Fprintln(to.Out, candidate)
		}
	}
	return nil
}

// unquoted is a word as the shell would pass it.
func unquoted(word string) string {
	word = strings.TrimPrefix(strings.TrimPrefix(word, `"`), "'")
	var b strings.Builder
	for i := 0; i < len(word); i++ {
		if word[i] == '\\' && i+1 < len(word) {
			i++
		}
		b.WriteByte(word[i])
	}
	return b.String()
}

// candidates lists what may be the last word, behind the others.
func (c *completeCommand) candidates(ctx context.Context, node *kong.Node, words []string) []string {
	given := map[string]string{} // values by the names of flags and arguments
	position := 0
	var pending *kong.Flag // waits for its value
	for _, word := range words[:len(words)-1] {
		switch {
		case pending != nil:
			given[pending.Name] = word
			pending = nil
		case strings.HasPrefix(word, "-"):
			name, value, inline := strings.Cut(strings.TrimLeft(word, "-"), "=")
			flag := flagOf(node, name)
			if flag != nil && inline {
				given[flag.Name] = value
			} else if flag != nil && !flag.IsBool() {
				pending = flag
			}
		default:
			if child := childOf(node, word); child != nil {
				node, position = child, 0
				continue
			}
			if position < len(node.Positional) {
				given[node.Positional[position].Name] = word
			}
			position++
		}
	}
	last := words[len(words)-1]
	switch {
	case pending != nil:
		return c.valuesOf(ctx, pending.Value, given)
	case strings.HasPrefix(last, "-"):
		var flags []string
		for _, group := range node.AllFlags(true) {
			for _, flag := range group {
				flags = append(flags, "--"+flag.Name)
			}
		}
		slices.Sort(flags)
		return flags
	case len(node.Children) > 0:
		var names []string
		for _, child := range node.Children {
			if !child.Hidden {
				names = append(names, child.Name)
			}
		}
		return names
	case len(node.Positional) > 0:
		return c.valuesOf(ctx, node.Positional[min(position, len(node.Positional)-1)], given)
	}
	return nil
}

func childOf(node *kong.Node, name string) *kong.Node {
	for _, child := range node.Children {
		if child.Name == name {
			return child
		}
	}
	return nil
}

func flagOf(node *kong.Node, name string) *kong.Flag {
	for _, group := range node.AllFlags(false) {
		for _, flag := range group {
			if flag.Name == name || len(name) == 1 && string(flag.Short) == name {
				return flag
			}
		}
	}
	return nil
}

// valuesOf lists the values of a flag or an argument: those of its enumeration, or names of the service. What
// the service does not say in time is left out.
func (c *completeCommand) valuesOf(ctx context.Context, value *kong.Value, given map[string]string) []string {
	if value.Enum != "" {
		return slices.DeleteFunc(slices.Sorted(maps.Keys(value.EnumMap())), func(s string) bool { return s == "" })
	}
	switch value.Name {
	case "base", "table", "fields", "sort", "upsert-on", "view", "record":
	default:
		return nil
	}
	client, err := c.client()
	if err != nil {
		return nil
	}
	bases, err := basesOf(ctx, client)
	if err != nil {
		return nil
	}
	var names []string
	switch value.Name {
	case "base":
		for _, base := range bases {
			names = append(names, base.path[0])
		}
	case "table":
		for _, base := range bases {
			if full, err := client.Base(ctx, base.id); err == nil {
				for _, table := range full.Tables {
					names = append(names, base.path[0]+"/"+table.Name)
				}
			}
		}
	default:
		table, err := findTable(ctx, client, given["table"])
		if err != nil {
			return nil
		}
		if value.Name == "view" {
			for _, view := range table.Views {
				names = append(names, view.Name)
			}
			return names
		}
		if value.Name != "record" {
			for _, field := range table.Fields {
				names = append(names, field.Name)
			}
		}
	}
	return names
}
