package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// testTour types the README's tour into a shell.
func testTour(t *testing.T, w *world) {
	_, section, found := strings.Cut(readPage(t, "README.md"), "\n## Five minutes with curl\n")
	if section, _, _ = strings.Cut(section, "\n## "); !found {
		t.Fatal("the README has no tour")
	}
	out := w.shell(t, commandsOf(section))
	for _, want := range []string{
		`"kind":"api_key"`, `"Name":"Solveig"`, `"total":2`, `"total":1`, `"Tons":95`, `"Kind":null`,
		`did you mean \"Name\"`, `fields.Tons`, `"publicShareId":"shr_`, `"publicShareId":null`, `"deleted":"bas_`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the tour does not show %s: %s", want, out)
		}
	}
	if strings.Contains(out, `"status":404`) || strings.Count(out, `"status":400`) != 1 {
		t.Errorf("the tour makes other mistakes than it says: %s", out)
	}
}

// testDocumentation types the commands of the tutorial, and of the pages that continue with its
// base.
func testDocumentation(t *testing.T, w *world) {
	if tenancytest.DB(t).Distributed() {
		t.Skip("the pages use SQL, which is off on Citus")
	}
	var script strings.Builder
	for _, page := range []string{
		"tutorial/curl", "reference/records", "reference/changes", "reference/files", "how-to/import-and-export",
		"how-to/undo-and-restore",
	} {
		script.WriteString(commandsOf(readPage(t, "docs/"+page+".md")))
	}
	out := w.shell(t, script.String())
	for _, want := range []string{
		`did you mean \"Name\"`, `"sum(Tons)":220`, `["Tug",130]`, `"conflictCount":0`, // the tutorial
		`"percentile(Tons, 90)"`, `"created":["rec_`, `"dryRun":true,"merged":["rec_`, // records
		`"code":"version_changed"`, "Idempotent-Replayed: true", `"planToken":"pln_`, `"name":"spring"`, // changes
		`"text":"Registered in Bergen.`, "Name,Kind,Tons,Built,Papers", // files
		`"created":1,"updated":0,"refused":0,"rows":1`, `"kind":"record","name":"Balder"`, // import, restore
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the documentation does not show %s", want)
		}
	}
	// One refused record in the tutorial, and one write with an outdated version.
	if strings.Count(out, `"type":"about:blank"`) != 2 {
		t.Errorf("the documentation makes other mistakes than it says: %s", out)
	}
}

func readPage(t *testing.T, name string) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// commandsOf returns the commands in the fences of a page that hold commands.
func commandsOf(page string) string {
	var script strings.Builder
	for i, part := range strings.Split(page, "```") {
		if commands, ok := strings.CutPrefix(part, "sh\n"); ok && i%2 == 1 {
			script.WriteString(commands)
		}
	}
	return script.String()
}

// shell runs a script in an environment that looks like `make run`, and returns its output.
func (w *world) shell(t *testing.T, script string) string {
	t.Helper()
	return w.shellWith(t, script)
}

// shellWith is shell with more of an environment.
func (w *world) shellWith(t *testing.T, script string, environment ...string) string {
	t.Helper()
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("the commands need curl")
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
	shell := exec.CommandContext(t.Context(), "sh", "-c", "set -eu\n"+script)
	shell.Dir = dir
	shell.Env = append(environment, "PATH="+filepath.Dir(curl)+":"+os.Getenv("PATH"))
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}
