package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/authz/account/mailer"
	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/outbound"
)

// databaseConfig configures the connection to PostgreSQL.
type databaseConfig struct {
	DatabaseURL            string `name:"database-url" env:"DATABASE_URL" help:"PostgreSQL URL with the login that migrates. The logins that serve are derived from it, and migrate creates them." placeholder:"URL"`
	DatabaseMaxConnections int32  `name:"database-max-connections" env:"DATABASE_MAX_CONNECTIONS" default:"20" help:"Maximum number of connections of this process."`
}

// redisConfig configures the connection to Redis.
type redisConfig struct {
	RedisURL string `name:"redis-url" env:"REDIS_URL" help:"Redis URL." placeholder:"URL"`
}

// serviceConfig is the configuration of a running service. All of it is checked before anything is
// started.
type serviceConfig struct {
	databaseConfig  `embed:""`
	redisConfig     `embed:""`
	limitConfig     `embed:""`
	telemetryConfig `embed:""`
	fileConfig      `embed:""`
	retentionConfig `embed:""`
	airtableConfig  `embed:""`

	RequestDatabaseURL string `name:"request-database-url" env:"REQUEST_DATABASE_URL" help:"The same database with the login for requests. Default: derived from DATABASE_URL." placeholder:"URL"`
	SchemaDatabaseURL  string `name:"schema-database-url" env:"SCHEMA_DATABASE_URL" help:"The same database with the login for schema changes. Default: derived from DATABASE_URL." placeholder:"URL"`
	LookupDatabaseURL  string `name:"lookup-database-url" env:"LOOKUP_DATABASE_URL" help:"The same database with the login for people and credentials. Default: derived from DATABASE_URL." placeholder:"URL"`
	JobDatabaseURL     string `name:"job-database-url" env:"JOB_DATABASE_URL" help:"The same database with the login for background jobs, bypassing any proxy that shares sessions among clients, such as PgBouncer. If it names the user of DATABASE_URL, the login is derived from it. Default: derived from DATABASE_URL." placeholder:"URL"`
	SQLDatabaseURL     string `name:"sql-database-url" env:"SQL_DATABASE_URL" help:"The same database for SQL that people write, bypassing any proxy such as PgBouncer, which does not know the logins of bases. Its user and password are not used. Default: DATABASE_URL." placeholder:"URL"`
	SQLConnections     int    `name:"sql-connections" env:"SQL_CONNECTIONS" default:"2" help:"How many statements of SQL that people write a process runs at once, one for each base. They have connections of their own, beyond DATABASE_MAX_CONNECTIONS." placeholder:"N"`

	BaseURL    string `name:"base-url" env:"BASE_URL" help:"Public URL of the service." placeholder:"URL"`
	ListenAddr string `name:"listen-addr" env:"LISTEN_ADDR" default:":8080" help:"Address to listen on."`
	SecretKey  string `name:"secret-key" env:"SECRET_KEY" help:"At least 32 secret characters, from which encryption and signing keys are derived." placeholder:"TEXT"`

	OldSecretKeys       []string `name:"old-secret-keys" env:"OLD_SECRET_KEYS" help:"Previous values of SECRET_KEY, comma-separated, to decrypt existing data." placeholder:"TEXT"`
	SMTPURL             string   `name:"smtp-url" env:"SMTP_URL" help:"Mail server, for verification, password resets and invitations. Without one, no mail is sent." placeholder:"URL"`
	MailFrom            string   `name:"mail-from" env:"MAIL_FROM" help:"Sender of mails, such as: Rowhouse <no-reply@example.com>." placeholder:"ADDRESS"`
	ClientAddressHeader string   `name:"client-address-header" env:"CLIENT_ADDRESS_HEADER" help:"Header in which your reverse proxy sends the client's address, such as X-Real-Ip. The proxy must overwrite what clients send." placeholder:"NAME"`

	MCPOrigins []string `name:"mcp-origins" env:"MCP_ORIGINS" help:"Web origins whose pages may call /mcp, comma-separated, such as https://agent.example.com; * for all. This service's own origin is always allowed." placeholder:"ORIGIN"`

	AllowedNetworks []string `name:"allowed-networks" env:"ALLOWED_NETWORKS" help:"Networks that are not public and that webhooks, buckets for backups, and installations of NocoDB and Baserow may be in, comma-separated, such as 10.1.0.0/16. Everything in them becomes reachable for whoever can set up a webhook or backups, and readable for whoever can import a base." placeholder:"CIDR"`

	LogLevel      slog.Level    `name:"log-level" env:"LOG_LEVEL" default:"info" help:"debug, info, warn or error."`
	ShutdownDelay time.Duration `name:"shutdown-delay" env:"SHUTDOWN_DELAY" default:"0s" help:"How long to continue serving, but report not ready, after a signal to stop: the time that a load balancer needs to notice."`
}

// check returns every error at once, each with the name of its variable and an example. Messages do
// not repeat values, because most of them contain a password.
func (c *databaseConfig) check() error {
	u, err := url.Parse(c.DatabaseURL)
	switch {
	case c.DatabaseURL == "":
		return missingError("DATABASE_URL", exampleDatabaseURL)
	case err != nil || (u.Scheme != "postgres" && u.Scheme != "postgresql") || u.Host == "" ||
		strings.Trim(u.Path, "/") == "":
		return invalidError("DATABASE_URL", "a PostgreSQL URL with a host and a database", exampleDatabaseURL)
	case u.User.Username() == "":
		return invalidError("DATABASE_URL", "a PostgreSQL URL with a user", exampleDatabaseURL)
	}
	if c.DatabaseMaxConnections < 1 {
		return invalidError("DATABASE_MAX_CONNECTIONS", "a number from 1", "20")
	}
	return nil
}

const exampleRedisURL = "redis://:password@cache.example.com:6379/0"

const exampleDatabaseURL = "postgres://rowhouse:password@db.example.com:5432/rowhouse" //nolint:gosec // An example.

func (c *redisConfig) check() error {
	u, err := url.Parse(c.RedisURL)
	switch {
	case c.RedisURL == "":
		return missingError("REDIS_URL", exampleRedisURL)
	case err != nil || (u.Scheme != "redis" && u.Scheme != "rediss") || u.Host == "":
		return invalidError("REDIS_URL", "a Redis URL with a host", exampleRedisURL)
	}
	return nil
}

func (c *serviceConfig) check() error {
	const exampleBase = "https://rowhouse.example.com"
	problems := []error{c.redisConfig.check()}
	given := 0
	for _, login := range []struct{ variable, url string }{
		{"REQUEST_DATABASE_URL", c.RequestDatabaseURL},
		{"SCHEMA_DATABASE_URL", c.SchemaDatabaseURL},
		{"LOOKUP_DATABASE_URL", c.LookupDatabaseURL},
		{"JOB_DATABASE_URL", c.JobDatabaseURL},
		{"SQL_DATABASE_URL", c.SQLDatabaseURL},
	} {
		if login.url == "" {
			continue
		}
		if login.variable != "SQL_DATABASE_URL" {
			given++
		}
		if (&databaseConfig{DatabaseURL: login.url, DatabaseMaxConnections: 1}).check() != nil {
			problems = append(problems,
				invalidError(login.variable, "a PostgreSQL URL with a user, a host and a database", exampleDatabaseURL))
		}
	}
	// With a separate URL for every login, the service need not know the migrating login.
	if c.DatabaseURL != "" || given < 4 || c.DatabaseMaxConnections < 1 {
		problems = append(problems, c.databaseConfig.check())
	}

	base, err := url.Parse(c.BaseURL)
	switch {
	case c.BaseURL == "":
		problems = append(problems, missingError("BASE_URL", exampleBase))
	case err != nil || (base.Scheme != "http" && base.Scheme != "https") || base.Host == "" || base.User != nil ||
		strings.Trim(base.Path, "/") != "" || base.RawQuery != "" || base.Fragment != "":
		problems = append(problems,
			invalidError("BASE_URL", "a scheme and a host, and a port if needed, with nothing after them", exampleBase))
	case base.Scheme == "http" && !isLoopback(base.Hostname()):
		problems = append(problems, invalidError("BASE_URL", "an https URL unless it refers to this machine, "+
			"because browsers do not send session cookies over plain http", exampleBase))
	default:
		c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	}

	if _, _, err := net.SplitHostPort(c.ListenAddr); err != nil {
		problems = append(problems, invalidError("LISTEN_ADDR", "an address with a port", ":8080"))
	}
	switch {
	case c.SecretKey == "":
		problems = append(problems, missingError("SECRET_KEY", "the output of: openssl rand -hex 32"))
	case len(c.SecretKey) < 32:
		problems = append(problems,
			invalidError("SECRET_KEY", "at least 32 characters long", "the output of: openssl rand -hex 32"))
	}
	for _, old := range c.OldSecretKeys {
		if len(old) < 32 {
			problems = append(problems, invalidError("OLD_SECRET_KEYS", "previous values of SECRET_KEY, "+
				"each at least 32 characters long", "as SECRET_KEY"))
		}
	}
	if min(c.CredentialRate, c.OrganizationRate, c.AddressRate, c.OAuthRate, c.ConsentRate, c.RegistrationRate) < 0 {
		problems = append(problems, invalidError("CREDENTIAL_RATE, ORGANIZATION_RATE, ADDRESS_RATE, OAUTH_RATE, "+
			"CONSENT_RATE or REGISTRATION_RATE", "a number from 0", "50"))
	}
	if min(c.PersonStreams, c.OrgStreams) < 0 {
		problems = append(problems, invalidError("PERSON_STREAMS or ORGANIZATION_STREAMS", "a number from 0", "200"))
	}
	switch {
	case c.SMTPURL != "" && c.MailFrom == "":
		problems = append(problems, missingError("MAIL_FROM", "Rowhouse <no-reply@example.com>"))
	case c.SMTPURL != "":
		if _, err := mailer.NewSMTP(c.SMTPURL, c.MailFrom); err != nil {
			problems = append(problems, fmt.Errorf("SMTP_URL or MAIL_FROM is invalid: %w", err))
		}
	}
	c.MCPOrigins = slices.DeleteFunc(c.MCPOrigins, func(origin string) bool { return origin == "" })
	for _, origin := range c.MCPOrigins {
		if origin != "*" && !isOrigin(origin) {
			problems = append(problems, invalidError(
				"MCP_ORIGINS",
				"origins with a scheme, a host, and a port if needed, in lower case and with nothing after them, or *",
				"https://agent.example.com,http://localhost:6274",
			))
			break
		}
	}
	c.AllowedNetworks = slices.DeleteFunc(c.AllowedNetworks, func(network string) bool { return network == "" })
	if _, err := outbound.ParseNetworks(c.AllowedNetworks); err != nil {
		problems = append(problems,
			invalidError("ALLOWED_NETWORKS", "networks in CIDR notation", "10.1.0.0/16,fd12::/32"))
	}
	problems = append(problems, c.telemetryConfig.check(), c.fileConfig.check(), c.retentionConfig.check(),
		c.airtableConfig.check())
	if c.SQLConnections < 0 {
		problems = append(problems, invalidError("SQL_CONNECTIONS", "a number from 1", "2"))
	}
	if c.ShutdownDelay < 0 {
		problems = append(problems, invalidError("SHUTDOWN_DELAY", "a duration from 0s", "5s"))
	}
	return errors.Join(problems...)
}

// logins returns the URL of each login. The configuration must have been checked.
func (c *serviceConfig) logins() (map[migrations.Login]string, error) {
	urls := map[migrations.Login]string{
		migrations.Request: c.RequestDatabaseURL, migrations.Schema: c.SchemaDatabaseURL,
		migrations.Lookup: c.LookupDatabaseURL, migrations.Job: c.JobDatabaseURL,
	}
	for login, given := range urls {
		from := c.DatabaseURL
		if given != "" {
			if login != migrations.Job || userOf(given) != userOf(c.DatabaseURL) {
				continue
			}
			from = given // the same login at an address of its own
		}
		var err error
		if urls[login], err = login.URL(from); err != nil {
			return nil, fmt.Errorf("DATABASE_URL: %w", err)
		}
	}
	return urls, nil
}

func userOf(databaseURL string) string {
	u, err := url.Parse(databaseURL)
	if err != nil {
		return ""
	}
	return u.User.Username()
}

// secrets returns the current secret key, followed by the previous ones.
func (c *serviceConfig) secrets() [][]byte {
	if c.SecretKey == "" {
		return nil // a command that does not serve requests
	}
	secrets := [][]byte{[]byte(c.SecretKey)}
	for _, old := range c.OldSecretKeys {
		secrets = append(secrets, []byte(old))
	}
	return secrets
}

func missingError(name, example string) error {
	return fmt.Errorf("%s is not set; for example: %s", name, example)
}

func invalidError(name, want, example string) error {
	return fmt.Errorf("%s is invalid: it must be %s; for example: %s", name, want, example)
}

// isOrigin reports whether text is a serialized origin (RFC 6454 section 6.2).
func isOrigin(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" &&
		text == u.Scheme+"://"+strings.ToLower(u.Host)
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || (ip != nil && ip.IsLoopback())
}
