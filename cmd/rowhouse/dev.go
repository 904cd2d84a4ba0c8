package main

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/account/mailer"
	"github.com/rowhouse/rowhouse/deploy/local"
	"github.com/rowhouse/rowhouse/migrations"
)

type devCommand struct {
	Addr     string     `default:"127.0.0.1:8080" help:"Address to listen on."`
	Dir      string     `default:".rowhouse" help:"Directory for all data."`
	LogLevel slog.Level `default:"info" help:"debug, info, warn or error."`

	airtableConfig `embed:""`
}

// A devFile contains what a person or a program needs to use a development service. Each start
// writes it as dev.json.
type devFile struct {
	BaseURL     string `json:"baseUrl"`
	DatabaseURL string `json:"databaseUrl"`
	RedisURL    string `json:"redisUrl"`
	Email       string `json:"email"`
	Password    string `json:"password"`
	OrgID       string `json:"orgId"`
	APIKey      string `json:"apiKey"`
}

const devLogin, devDatabase = "rowhouse", "rowhouse"

// Run starts PostgreSQL and Redis, then the service, and stops them in reverse order.
func (c *devCommand) Run(ctx context.Context, to streams) (err error) {
	log := slog.New(slog.NewTextHandler(to.err, &slog.HandlerOptions{Level: c.LogLevel}))
	// First, because it is the most likely to fail.
	listener, err := listen(ctx, c.Addr, "--addr")
	if err != nil {
		return err
	}
	defer listener.Close() //nolint:errcheck // already closed if the service has run

	services, err := local.Start(ctx, c.Dir, local.Options{Durable: true, Progress: to.err})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, services.Stop(context.WithoutCancel(ctx))) }()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case err := <-services.Failed():
			cancel(err)
		case <-ctx.Done():
		}
	}()

	file, err := c.load()
	if err != nil {
		return err
	}
	file.BaseURL, file.RedisURL = baseURL(listener.Addr()), services.RedisURL
	secret, err := c.loadOrCreateSecret()
	if err != nil {
		return err
	}
	if file.DatabaseURL, err = prepareDatabase(
		ctx, services.AdminURL, derivePassword(secret, "database login"),
	); err != nil {
		return err
	}
	files, err := folderURL(filepath.Join(c.Dir, "files"))
	if err != nil {
		return err
	}
	s, err := open(ctx, &serviceConfig{
		databaseConfig:  databaseConfig{DatabaseURL: file.DatabaseURL, DatabaseMaxConnections: 20},
		redisConfig:     redisConfig{RedisURL: file.RedisURL},
		fileConfig:      fileConfig{AttachmentURL: files, AttachmentMB: defaultFileMB},
		retentionConfig: retentionConfig{TrashDays: defaultTrashDays, HistoryDays: defaultHistoryDays},
		airtableConfig:  c.airtableConfig,
		BaseURL:         file.BaseURL, SecretKey: secret,
		AllowedNetworks: []string{"127.0.0.0/8", "::1/128"}, // for receivers that a developer writes
	}, log, &mailer.Box{})
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.seedDemoAccount(ctx, &file, derivePassword(secret, "demonstration sign-in")); err != nil {
		return err
	}
	if err := c.save(file); err != nil {
		return err
	}
	c.printAddresses(to, file)
	if err := s.serve(ctx, listener, 0); err != nil {
		return err
	}
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}

// prepareDatabase creates and migrates the service's database in the cluster of adminURL, and
// returns its URL.
func prepareDatabase(ctx context.Context, adminURL, password string) (string, error) {
	target, err := url.Parse(adminURL)
	if err != nil {
		return "", fmt.Errorf("reading the URL of the local PostgreSQL: %w", err)
	}
	target.User, target.Path = url.UserPassword(devLogin, password), "/"+devDatabase
	databaseURL := target.String()
	if err := provision(ctx, adminURL, databaseURL); err != nil {
		return "", err
	}
	// The login role may be older than the secret that its password is derived from.
	if err := setPassword(ctx, adminURL, devLogin, password); err != nil {
		return "", err
	}
	return databaseURL, migrations.Up(ctx, databaseURL)
}

func setPassword(ctx context.Context, adminURL, login, password string) (err error) {
	conn, err := pgx.Connect(ctx, adminURL)
	if err != nil {
		return fmt.Errorf("connecting to set a password: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	var statement string
	if err := conn.QueryRow(
		ctx, "select format('alter role %I password %L', $1::text, $2::text)", login, password,
	).Scan(&statement); err != nil {
		return fmt.Errorf("writing a statement to set a password: %w", err)
	}
	if _, err := conn.Exec(ctx, statement); err != nil {
		return fmt.Errorf("setting the password of %s: %w", login, err)
	}
	return nil
}

// load returns the devFile of the last start, or an empty one before the first.
func (c *devCommand) load() (devFile, error) {
	var file devFile
	b, err := os.ReadFile(c.path())
	if errors.Is(err, fs.ErrNotExist) {
		return file, nil
	}
	if err != nil {
		return file, fmt.Errorf("reading the dev file: %w", err)
	}
	if err := json.Unmarshal(b, &file); err != nil {
		return file, fmt.Errorf("reading %s (delete it to have it written again): %w", c.path(), err)
	}
	return file, nil
}

func (c *devCommand) save(file devFile) error {
	//nolint:gosec // it exists to contain secrets, and only its owner can read it
	b, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding %s: %w", c.path(), err)
	}
	if err := os.WriteFile(c.path(), append(b, '\n'), 0o600); err != nil {
		return fmt.Errorf("writing %s: %w", c.path(), err)
	}
	return nil
}

func (c *devCommand) path() string { return filepath.Join(c.Dir, "dev.json") }

// loadOrCreateSecret returns the SECRET_KEY of this directory, which the first start creates. The
// directory's passwords are derived from it, so that they stay the same and a lost dev.json can be
// written again.
func (c *devCommand) loadOrCreateSecret() (string, error) {
	path := filepath.Join(c.Dir, "secret")
	b, err := os.ReadFile(path)
	if err == nil {
		return string(b), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("reading the secret key: %w", err)
	}
	secret := rand.Text() + rand.Text()
	if err := os.WriteFile(path, []byte(secret), 0o600); err != nil {
		return "", fmt.Errorf("storing the secret key: %w", err)
	}
	return secret, nil
}

// derivePassword derives a password for one purpose from the secret.
func derivePassword(secret, purpose string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(purpose))
	return strings.ToLower(base32.StdEncoding.EncodeToString(mac.Sum(nil)))[:20]
}

func (c *devCommand) printAddresses(to streams, file devFile) {
	if file.APIKey == "" {
		file.APIKey = "$KEY"
	}
	fmt.Fprintf(to.out, `
Rowhouse is running on %[1]s

  Sign in   %[2]s   password %[3]s
  Call      curl -H "x-api-key: %[4]s" %[1]s/api/v1/bases
  API       %[1]s/docs
  Help      %[1]s/help

Ctrl-C stops it. The data remain in %[5]s; all URLs and secrets are in %[6]s.
`, file.BaseURL, file.Email, file.Password, file.APIKey, c.Dir, c.path())
}

// baseURL returns the URL at which a browser on this machine reaches a listener's address.
func baseURL(address net.Addr) string {
	host, port, err := net.SplitHostPort(address.String())
	if err != nil {
		return "http://" + address.String()
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}
