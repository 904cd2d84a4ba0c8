// Command rowhouse-client has the commands of rowhouse that use a service, without those that run one. It is a
// tenth of the size and starts in a tenth of the time: packages for machines that run no service install it as
// rowhouse.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/rowhouse/rowhouse/cmd/rowhouse/client"
)

type commands struct {
	client.Commands `embed:""`

	Key client.KeyCommands `cmd:"" help:"API keys."`

	Version kong.VersionFlag `help:"Show the version."`
}

// gcPercent lets the heap of this short process grow to 20 MB or so before it is collected, which saves a tenth
// of the time of long lists.
const gcPercent = 400

// release is the version that a package was built as, or "".
var release string

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	debug.SetGCPercent(gcPercent)
	version := "rowhouse " + release
	if info, ok := debug.ReadBuildInfo(); ok && release == "" {
		version += info.Main.Version
	}
	parser, err := kong.New(&commands{},
		kong.Name("rowhouse"),
		kong.Description("The client of a data workspace. Each flag can be set by the environment variable NAME shown "+
			"beside it, or by NAME_FILE, the path of a file that contains the value."),
		kong.Resolvers(kong.ResolverFunc(client.FromFile)),
		kong.Vars{"version": version},
		kong.ConfigureHelp(kong.HelpOptions{NoExpandSubcommands: true}),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(client.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}),
	)
	if err != nil {
		panic(err) // the commands above are invalid
	}
	return client.Execute(ctx, parser, os.Args[1:], os.Stderr)
}
