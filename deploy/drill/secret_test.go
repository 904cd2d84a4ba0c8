//go:build drill

package drill

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/operation"
)

// drillSecrets looks for secrets in everything that the drills before it left behind.
func (h *house) drillSecrets(t *testing.T) {
	p := h.start(t, "LOG_LEVEL=debug")
	w := h.world(t, p)
	h.rest(p, w.key, call{op: operation.Catalogue()[0]}, w.ids)
	dump, err := exec.Command("/bin/sh", "-c", `PATH="$PATH:$(ls -d /usr/lib/postgresql/*/bin | tail -1)" exec pg_dump --dbname "$0"`, adminAt(t, h.admin)).Output()
	if err != nil {
		t.Fatalf("dumping the database: %v", err)
	}
	var cache strings.Builder
	keys := h.redisConn.Scan(context.Background(), 0, "*", 1000).Iterator()
	for keys.Next(context.Background()) {
		value, err := h.redisConn.Dump(context.Background(), keys.Val()).Result()
		if err == nil {
			fmt.Fprintln(&cache, keys.Val(), value)
		}
	}
	log, err := os.ReadFile(p.log)
	if err != nil {
		t.Fatal(err)
	}
	patterns := []*regexp.Regexp{
		regexp.MustCompile(`rhk_[0-9A-Za-z]{36}`), regexp.MustCompile(regexp.QuoteMeta(secretKey)), regexp.MustCompile(regexp.QuoteMeta(w.key)),
		regexp.MustCompile(`://[^:/@\s"]+:[^@/\s"]+@`), regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY`), regexp.MustCompile(`eyJ[A-Za-z0-9_-]{20,}\.eyJ`),
	}
	found := 0
	sizes := []string{}
	for _, place := range []struct{ name, text string }{{"database", string(dump)}, {"Redis", cache.String()}, {"log", string(log)}} {
		sizes = append(sizes, fmt.Sprintf("%s %.1f MB", place.name, float64(len(place.text))/1e6))
		for _, pattern := range patterns {
			if match := pattern.FindString(place.text); match != "" {
				found++
				t.Errorf("the %s holds %s", place.name, match[:min(12, len(match))]+"…")
			}
		}
	}
	if err := os.WriteFile(filepath.Join(h.dir, "cache.txt"), []byte(cache.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	tell(t, "Secrets", "%d patterns over the dump of the database, all of Redis and the log of every drill (%s): %d found",
		len(patterns), strings.Join(sizes, ", "), found)
}

func adminAt(t *testing.T, admin string) string {
	t.Helper()
	u, err := url.Parse(admin)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + database
	return u.String()
}
