package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func valid() serviceConfig {
	return serviceConfig{
		databaseConfig: databaseConfig{
			DatabaseURL:            "postgres://rowhouse:hush@db:5432/rowhouse",
			DatabaseMaxConnections: 20,
		},
		redisConfig: redisConfig{RedisURL: "redis://:hush@cache:6379/0"},
		BaseURL:     "https://rowhouse.example.com", ListenAddr: ":8080", SecretKey: strings.Repeat("hush", 8),
	}
}

func TestConfigErrorsNameVariableAndExample(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*serviceConfig)
		want   string // "" means that there is no error
	}{
		"all is well": {func(*serviceConfig) {}, ""},
		"no database": {
			func(c *serviceConfig) { c.DatabaseURL = "" }, "DATABASE_URL is not set; for example: postgres://",
		},
		"another database": {
			func(c *serviceConfig) { c.DatabaseURL = "mysql://root:hush@db/x" }, "DATABASE_URL is invalid",
		},
		"an unreadable database": {
			func(c *serviceConfig) { c.DatabaseURL = "postgres://a:hush%zz@db/x" }, "DATABASE_URL is invalid",
		},
		"a database without user": {func(c *serviceConfig) { c.DatabaseURL = "postgres://db/x" }, "with a user"},
		"no connections": {
			func(c *serviceConfig) { c.DatabaseMaxConnections = 0 }, "DATABASE_MAX_CONNECTIONS",
		},
		"no Redis": {
			func(c *serviceConfig) { c.RedisURL = "" }, "REDIS_URL is not set; for example: redis://",
		},
		"another cache": {
			func(c *serviceConfig) { c.RedisURL = "memcached://:hush@cache" }, "REDIS_URL is invalid",
		},
		"no base": {
			func(c *serviceConfig) { c.BaseURL = "" }, "BASE_URL is not set; for example: https://",
		},
		"a base with a path": {
			func(c *serviceConfig) { c.BaseURL = "https://example.com/app" }, "BASE_URL is invalid",
		},
		"a base with a slash": {func(c *serviceConfig) { c.BaseURL = "https://example.com/" }, ""},
		"plain http outside":  {func(c *serviceConfig) { c.BaseURL = "http://example.com" }, "https"},
		"plain http here":     {func(c *serviceConfig) { c.BaseURL = "http://127.0.0.1:8080" }, ""},
		"no port":             {func(c *serviceConfig) { c.ListenAddr = "8080" }, "LISTEN_ADDR"},
		"no secret":           {func(c *serviceConfig) { c.SecretKey = "" }, "openssl rand -hex 32"},
		"a network":           {func(c *serviceConfig) { c.AllowedNetworks = []string{"10.1.0.0/16", ""} }, ""},
		"not a network": {
			func(c *serviceConfig) { c.AllowedNetworks = []string{"10.1.0.1/16"} }, "ALLOWED_NETWORKS",
		},
		"an origin": {func(c *serviceConfig) {
			c.MCPOrigins = []string{"https://agent.example.com", "http://localhost:6274", "*", ""}
		}, ""},
		"an origin with a path": {
			func(c *serviceConfig) { c.MCPOrigins = []string{"https://agent.example.com/"} }, "MCP_ORIGINS is invalid",
		},
		"an origin of no scheme": {
			func(c *serviceConfig) { c.MCPOrigins = []string{"agent.example.com"} }, "MCP_ORIGINS is invalid",
		},
		"a negative rate":     {func(c *serviceConfig) { c.OAuthRate = -1 }, "OAUTH_RATE"},
		"no rate of consents": {func(c *serviceConfig) { c.ConsentRate = -1 }, "CONSENT_RATE"},
		"a trash without end": {func(c *serviceConfig) { c.TrashDays = -1 }, "TRASH_DAYS is invalid"},
		"a history that is shorter than the trash": {
			func(c *serviceConfig) { c.TrashDays = 30 }, "HISTORY_DAYS is invalid",
		},
		"a short secret": {func(c *serviceConfig) { c.SecretKey = "hush" }, "SECRET_KEY is invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := valid()
			test.change(&c)
			err := c.check()
			switch {
			case err == nil && test.want == "":
			case err == nil || test.want == "" || !strings.Contains(err.Error(), test.want):
				t.Errorf("got %v, want %q", err, test.want)
			case strings.Contains(err.Error(), "hush"):
				t.Errorf("the message repeats a secret: %v", err)
			}
		})
	}
}

func TestAllConfigErrorsAreReportedTogether(t *testing.T) {
	t.Parallel()
	var c serviceConfig
	err := c.check()
	if err == nil {
		t.Fatal("an empty configuration was accepted")
	}
	for _, name := range []string{"DATABASE_URL", "REDIS_URL", "BASE_URL", "SECRET_KEY"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not named in: %v", name, err)
		}
	}
}

// These set the environment of the process, so they do not run in parallel with others.

func TestSettingFromFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "url")
	if err := os.WriteFile(path, []byte("mysql://from-a-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DATABASE_URL", "")
	t.Setenv("DATABASE_URL_FILE", path)
	status, said := command("migrate")
	if status != 1 || !strings.Contains(said, "DATABASE_URL is invalid") {
		t.Errorf("the file was not read: %d %s", status, said)
	}
}

func TestSettingAndFileTogetherAreAnError(t *testing.T) {
	t.Setenv("DATABASE_URL", "postgres://hush@a/b")
	t.Setenv("DATABASE_URL_FILE", "/dev/null")
	status, said := command("migrate")
	if status != 2 || !strings.Contains(said, "DATABASE_URL and DATABASE_URL_FILE are both set") ||
		strings.Contains(said, "hush") {
		t.Errorf("%d %s", status, said)
	}
}

func TestMissingSettingFileIsNamed(t *testing.T) {
	t.Setenv("REDIS_URL_FILE", "/nowhere/redis")
	status, said := command("serve")
	if status != 2 || !strings.Contains(said, "REDIS_URL_FILE") || !strings.Contains(said, "/nowhere/redis") {
		t.Errorf("%d %s", status, said)
	}
}

func TestListSettingsFromEnvironment(t *testing.T) {
	t.Setenv("MCP_ORIGINS", "https://agent.example.com,nonsense")
	status, said := command("serve")
	if status != 1 || !strings.Contains(said, "MCP_ORIGINS is invalid") {
		t.Errorf("%d %s", status, said)
	}
	t.Setenv("MCP_ORIGINS", "")
	if _, said := command("serve"); strings.Contains(said, "MCP_ORIGINS") {
		t.Error(said)
	}
}

func command(args ...string) (status int, said string) {
	var out bytes.Buffer
	status = run(args, streams{out: &out, err: &out})
	return status, out.String()
}
