// Command with runs another command with a PostgreSQL and a Redis for tests:
//
//	go run ./deploy/local/with -- go test ./...
//
// The command finds them in TEST_ADMIN_DATABASE_URL (a superuser's URL) and TEST_REDIS_URL. If both
// are already set, nothing is started. The data are in -dir, optimized for speed, and empty at each
// start.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/rowhouse/rowhouse/deploy/local"
)

const (
	adminVariable = "TEST_ADMIN_DATABASE_URL"
	redisVariable = "TEST_REDIS_URL"
)

func main() {
	dir := flag.String("dir", "",
		"directory for the services' data (default .rowhouse/test, and .rowhouse/citus with -citus)")
	citus := flag.String("citus", "", "prefix of a PostgreSQL with Citus: start a coordinator and two workers")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "usage: with [-dir DIR] [-citus PREFIX] -- COMMAND [ARGUMENT…]\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if *dir == "" {
		*dir = ".rowhouse/test"
		if *citus != "" {
			*dir = ".rowhouse/citus"
		}
	}
	// `go run` does not pass on SIGTERM, so this process would otherwise survive it.
	terminateWithParent()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	code, err := run(ctx, *dir, *citus, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "with:", err)
	}
	os.Exit(code)
}

// run returns the command's exit status, or 1 and an error if the services or the command could not
// be started.
func run(ctx context.Context, dir, citus string, args []string) (code int, err error) {
	if os.Getenv(adminVariable) == "" || os.Getenv(redisVariable) == "" {
		services, err := local.Start(ctx, dir, local.Options{Citus: citus, Progress: os.Stderr})
		if err != nil {
			return 1, err
		}
		defer func() {
			if stopErr := services.Stop(context.WithoutCancel(ctx)); stopErr != nil {
				code, err = max(code, 1), errors.Join(err, stopErr)
			}
		}()
		for name, value := range map[string]string{adminVariable: services.AdminURL, redisVariable: services.RedisURL} {
			if err := os.Setenv(name, value); err != nil {
				return 1, fmt.Errorf("set %s: %w", name, err)
			}
		}
		var cancel context.CancelCauseFunc
		ctx, cancel = context.WithCancelCause(ctx)
		defer cancel(nil)
		go func() {
			select {
			case err := <-services.Failed():
				fmt.Fprintln(os.Stderr, "with:", err)
				cancel(err)
			case <-ctx.Done():
			}
		}()
	}

	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.Exited():
		return exit.ExitCode(), nil
	case errors.As(err, &exit):
		return 1, fmt.Errorf("%s: %w", args[0], err)
	case err != nil:
		return 1, fmt.Errorf("run %s: %w", args[0], err)
	}
	return 0, nil
}
