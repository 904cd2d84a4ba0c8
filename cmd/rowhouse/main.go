// Command rowhouse is the whole service in one binary, and its client on the command line.
//
// It owns the configuration and the wiring: no other package reads the environment or a flag, or
// knows how the parts are connected. It decides nothing about tenants, records or rights.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/cmd/rowhouse/client"
)

type commands struct {
	client.Commands `embed:"" group:"Use a service"`

	Dev     devCommand     `cmd:"" group:"Run a service" help:"Run everything on this machine, with demonstration data."`
	Serve   serveCommand   `cmd:"" group:"Run a service" help:"Run the service in production."`
	Migrate migrateCommand `cmd:"" group:"Run a service" help:"Migrate the database to this version."`
	// Convert is what the service runs to read a file of another form than text, in a process whose memory is bounded.
	Convert convertCommand `cmd:"" hidden:""`
	Key     struct {
		Create keyCreateCommand      `cmd:"" help:"Create an API key: open the page that does, or with --email create it in the database of a service and print it once."`
		List   client.KeyListCommand `cmd:"" help:"Open the page with your API keys, on which you rotate and revoke them."`
	} `cmd:"" group:"Use a service" help:"API keys."`
	SigningKey struct {
		Rotate signingKeyRotateCommand `cmd:"" help:"Start signing access tokens with the next key, without stopping the running service."`
	} `cmd:"" group:"Run a service" help:"Manage the keys that sign access tokens."`
	OrganizationKey struct {
		Replace organizationKeyReplaceCommand `cmd:"" help:"Give organizations other keys in the database, without stopping the running service."`
	} `cmd:"" group:"Run a service" help:"Manage the keys with which the service enters organizations in the database."`

	Version kong.VersionFlag `help:"Show the version."`
}

// streams are where a command writes: its result to out, everything else to err.
type streams struct{ out, err io.Writer }

func main() {
	// The Redis client would print errors that it also returns.
	redis.SetLogger(discardLogger{})
	os.Exit(run(os.Args[1:], streams{out: os.Stdout, err: os.Stderr}))
}

type discardLogger struct{}

func (discardLogger) Printf(context.Context, string, ...any) {}

// run executes a command line and returns the exit status of client.Execute. For --help and --version, it
// prints them and exits.
func run(args []string, to streams) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second Ctrl-C ends the process at once.
	context.AfterFunc(ctx, stop)

	parser, err := kong.New(&commands{},
		kong.Name("rowhouse"),
		kong.Description("A hosted, multi-tenant data workspace. Each flag can be set by the environment variable "+
			"NAME shown beside it, "+
			"or by NAME_FILE, the path of a file that contains the value."),
		kong.Resolvers(kong.ResolverFunc(client.FromFile)),
		kong.Vars{"scopes": scopeNames(), "version": "rowhouse " + api.Version + " " + version()},
		kong.ConfigureHelp(kong.HelpOptions{NoExpandSubcommands: true}),
		kong.Writers(to.out, to.err),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(to),
		kong.Bind(client.Streams{In: os.Stdin, Out: to.out, Err: to.err}),
	)
	if err != nil {
		panic(err) // the commands above are invalid
	}
	return client.Execute(ctx, parser, args, to.err)
}
