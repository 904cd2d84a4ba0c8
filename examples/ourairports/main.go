// Command ourairports loads the airport data of OurAirports into a base and runs a few queries. It
// is an example of a program that uses only Rowhouse's public REST API and the standard library.
//
// It owns the base that it creates. It must never import a package of the service.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "ourairports:", err)
		os.Exit(1)
	}
}

// options are the settings of a run. The JSON names are those of dev.json, which `make run` writes.
type options struct {
	BaseURL  string `json:"baseUrl"`
	APIKey   string `json:"apiKey"`
	OrgID    string `json:"orgId"`
	Email    string `json:"email"`
	Password string `json:"password"`

	data        string
	connections int
}

func parse(args []string, stderr io.Writer) (*options, error) {
	var o, dev options
	flags := flag.NewFlagSet("ourairports", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.data, "data", "", "the `directory` with the five CSV files of OurAirports")
	flags.StringVar(&o.BaseURL, "base-url", "", "the service's URL; default: that of the dev file")
	flags.StringVar(&o.APIKey, "api-key", "",
		"an API key with the data and schema scopes; default: that of the dev file")
	flags.StringVar(&o.OrgID, "org", "",
		"the organization to create the base in; default: that of the dev file, or the key's only one")
	flags.StringVar(&o.Email, "email", "",
		"the e-mail address to sign in with to create link fields; default: that of the dev file")
	flags.StringVar(&o.Password, "password", "", "the password to sign in with; default: that of the dev file")
	flags.IntVar(&o.connections, "connections", 4, "number of concurrent requests")
	file := flags.String("dev", ".rowhouse/dev.json", "the dev `file`; ignored if -base-url is given")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if o.data == "" {
		return nil, errors.New("give the directory with the data: -data DIRECTORY")
	}
	if o.connections < 1 {
		return nil, errors.New("-connections must be at least 1")
	}
	// A key belongs to one service: the dev file's key must not be sent to another URL.
	if o.BaseURL == "" {
		content, err := os.ReadFile(*file)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no %s: start the service with `make run`, or give -base-url and -api-key",
				*file)
		}
		if err != nil {
			return nil, fmt.Errorf("reading the dev file: %w", err)
		}
		if err := json.Unmarshal(content, &dev); err != nil {
			return nil, fmt.Errorf("reading %s: %w", *file, err)
		}
	}
	for _, member := range []struct{ chosen, fallback *string }{
		{&o.BaseURL, &dev.BaseURL},
		{&o.APIKey, &dev.APIKey},
		{&o.OrgID, &dev.OrgID},
		{&o.Email, &dev.Email},
		{&o.Password, &dev.Password},
	} {
		if *member.chosen == "" {
			*member.chosen = *member.fallback
		}
	}
	if o.APIKey == "" {
		return nil, errors.New("give an API key: -api-key KEY")
	}
	return &o, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	started := time.Now()
	files, err := read(o.data)
	if err != nil {
		return err
	}
	filesRead := time.Since(started)

	api := newClient(o.BaseURL, o.APIKey, o.connections)
	l := &loader{
		api:         api,
		files:       files,
		connections: o.connections,
		progress:    newProgress(stderr),
		ids:         map[string]string{},
	}
	if o.Email != "" && o.Password != "" {
		if l.application, err = signIn(ctx, o.BaseURL, o.Email, o.Password); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(stderr, "Without -email and -password, the links and what computes through them are omitted, "+
			"because link fields can be created only in the application.")
	}
	if err := l.create(ctx, o.OrgID); err != nil {
		return err
	}
	created := time.Since(started)
	if err := l.load(ctx); err != nil {
		return err
	}
	loaded := time.Since(started)
	if err := printAnswers(ctx, l, stdout); err != nil {
		return err
	}
	total := time.Since(started)

	fmt.Fprintf(stdout, "\nTotal time %s: reading the files %s, creating the base %s, loading %s, queries %s.\n",
		seconds(total), seconds(filesRead), seconds(created-filesRead), seconds(loaded-created), seconds(total-loaded))
	fmt.Fprintf(stdout, "%s\n", api.timing())
	return nil
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }
