package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// testTour types the README's tour into a shell.
func testTour(t *testing.T, w *world) {
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("the tour needs curl")
	}
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(readme), "\n## Five minutes with curl\n")
	if section, _, _ = strings.Cut(section, "\n## "); !found {
		t.Fatal("the README has no tour")
	}
	script := "set -eu\n"
	for i, part := range strings.Split(section, "```") {
		if i%2 == 1 {
			script += strings.TrimPrefix(part, "sh\n")
		}
	}
	dir := t.TempDir()
	dev := encode(map[string]string{"baseUrl": w.service.BaseURL, "apiKey": w.secret})
	dev = strings.NewReplacer(`":"`, `": "`, `,`, ",\n", `{`, "{\n", `}`, "\n}").Replace(dev) // as `make run` writes it
	if err := os.Mkdir(filepath.Join(dir, ".rowhouse"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".rowhouse", "dev.json"), []byte(dev), 0o600); err != nil {
		t.Fatal(err)
	}
	shell := exec.CommandContext(t.Context(), "sh", "-c", script)
	shell.Dir = dir
	shell.Env = []string{"PATH=" + filepath.Dir(curl) + ":" + os.Getenv("PATH")}
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, want := range []string{
		`"kind":"api_key"`, `"Name":"Solveig"`, `"total":2`, `"total":1`, `"Tons":95`, `"Kind":null`,
		`did you mean \"Name\"`, `fields.Tons`, `"publicShareId":"shr_`, `"publicShareId":null`, `"deleted":"bas_`,
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the tour does not show %s: %s", want, out)
		}
	}
	if strings.Contains(string(out), `"status":404`) || strings.Count(string(out), `"status":400`) != 1 {
		t.Errorf("the tour makes other mistakes than it says: %s", out)
	}
}
