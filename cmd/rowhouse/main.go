// Command rowhouse is the whole service in one binary.
//
// It owns the configuration and the wiring: no other package reads the environment or a flag, or
// knows how the parts are connected. It decides nothing about tenants, records or rights.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/redis/go-redis/v9"
)

type commands struct {
	Dev     devCommand     `cmd:"" help:"Run everything on this machine, with demonstration data."`
	Serve   serveCommand   `cmd:"" help:"Run the service in production."`
	Migrate migrateCommand `cmd:"" help:"Migrate the database to this version."`
	// Sheet is what the service runs to read a spreadsheet, in a process whose memory is bounded.
	Sheet sheetCommand `cmd:"" hidden:""`
	Key   struct {
		Create keyCreateCommand `cmd:"" help:"Create an API key and print it once."`
	} `cmd:"" help:"Manage API keys."`
	SigningKey struct {
		Rotate signingKeyRotateCommand `cmd:"" help:"Start signing access tokens with the next key, without stopping the running service."`
	} `cmd:"" help:"Manage the keys that sign access tokens."`
	OrganizationKey struct {
		Replace organizationKeyReplaceCommand `cmd:"" help:"Give organizations other keys in the database, without stopping the running service."`
	} `cmd:"" help:"Manage the keys with which the service enters organizations in the database."`
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

// run executes a command line and returns the exit status: 0, 1 for a failure, or 2 for an invalid
// command line. For --help, it prints the help and exits.
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
		kong.Resolvers(kong.ResolverFunc(fromFile)),
		kong.Vars{"scopes": scopeNames()},
		kong.Writers(to.out, to.err),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(to),
	)
	if err != nil {
		panic(err) // the commands above are invalid
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(to.err, "rowhouse: %v\nTry rowhouse --help.\n", err)
		return 2
	}
	err = parsed.Run()
	interrupted := errors.Is(err, context.Canceled) && ctx.Err() != nil
	if err != nil && !interrupted {
		fmt.Fprintln(to.err, "rowhouse:", err)
		return 1
	}
	return 0
}
