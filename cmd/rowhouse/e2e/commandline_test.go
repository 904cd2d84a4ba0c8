package e2e

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/cmd/rowhouse/rowhousetest"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// A terminal runs the commands of a person.
type terminal struct {
	t           *testing.T
	home        string
	environment []string
}

func (w *world) terminal(t *testing.T, environment ...string) *terminal {
	return &terminal{t: t, home: t.TempDir(), environment: environment}
}

// run runs a command, and returns its output and its exit status.
func (c *terminal) run(args ...string) (out, said string, status int) {
	c.t.Helper()
	command := rowhousetest.Command(c.t, c.home, c.environment, args...)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	if exit, ok := err.(*exec.ExitError); ok { //nolint:errorlint // Run does not wrap it
		return stdout.String(), stderr.String(), exit.ExitCode()
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return stdout.String(), stderr.String(), 0
}

// ok runs a command that must succeed, and returns its output.
func (c *terminal) ok(args ...string) string {
	c.t.Helper()
	out, said, status := c.run(args...)
	if status != 0 {
		c.t.Fatalf("rowhouse %s: %d %s", strings.Join(args, " "), status, said)
	}
	return out
}

var signInAddress = regexp.MustCompile(`http\S+/oauth/authorize\S+`)

// login runs rowhouse login, and consents in the browser of a person.
func (c *terminal) login(person *rowhousetest.Person, args ...string) {
	c.t.Helper()
	command := rowhousetest.Command(c.t, c.home, c.environment, append([]string{"login", "--no-browser"}, args...)...)
	stderr, err := command.StderrPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		c.t.Fatal(err)
	}
	var said strings.Builder
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		address := signInAddress.FindString(lines.Text())
		if address == "" {
			continue
		}
		back := person.Redirect(address)
		forged := *back
		forged.RawQuery = "code=x&state=of+another+sign-in"
		if response, err := http.Get(forged.String()); err != nil || response.StatusCode != http.StatusBadRequest {
			c.t.Errorf("a redirect of another sign-in: %v %v", response, err)
		}
		if response, err := http.Get(back.String()); err != nil || response.StatusCode != http.StatusOK {
			c.t.Errorf("the redirect: %v %v", response, err)
		}
	}
	if err := command.Wait(); err != nil {
		c.t.Fatalf("login: %v %s", err, said.String())
	}
}

// A person signs in, works with names, is shown mistakes where they are, and signs out.
func testCommandLine(t *testing.T, w *world) {
	person := rowhousetest.SignUp(t, w.service.BaseURL, "Kari", "Harbour office")
	c := w.terminal(t)
	if _, said, status := c.run("whoami"); status != 3 || !strings.Contains(said, "rowhouse login") {
		t.Fatalf("nobody is signed in: %d %s", status, said)
	}
	c.login(person, w.service.BaseURL)
	id, org := person.Me()
	if out := c.ok("whoami"); !strings.Contains(out, `"credential":"oauth"`) || !strings.Contains(out, id) {
		t.Errorf("whoami: %s", out)
	}
	c.refresh(t)

	c.ok("base", "create", "Harbour")
	c.ok("table", "create", "Harbour/Ships", "Name", "Kind:single_select=Ferry,Tug", "Tons:number")
	c.ok("record", "create", "Harbour/Ships", "Name=Aase", "Kind=Tug", "Tons=90")
	c.ok("record", "create", "harbour/ships", "Name=Solveig", "Kind=Ferry", "Tons=4200")
	if out := c.ok("record", "list", "Ships", "-f", `Kind = "Tug" and Tons > 80`, "--sort", "-Tons", "--fields",
		"name,tons", "-o", "csv"); !strings.HasSuffix(out, ",Aase,90\n") || strings.Count(out, "\n") != 2 {
		t.Errorf("the tugs are %s", out)
	}
	for _, mistake := range []struct {
		status int
		says   string
		args   []string
	}{
		{2, "Kind = Tug\n         ^^^", []string{"record", "list", "Ships", "-f", "Kind = Tug"}},
		{6, "Tons > 1 or Knd = 1\n              ^^^", []string{"record", "list", "Ships", "-f", "Tons > 1 or Knd = 1"}},
		{5, `did you mean "Ships"`, []string{"record", "list", "Harbour/Shps"}},
		{6, `did you mean "Tug"`, []string{"record", "create", "Ships", "Name=Embla", "Kind=Tgu"}},
		{7, "version", []string{"record", "update", "Ships", "Aase", "Tons=1", "--if-version", "1"}},
		{2, "--yes", []string{"record", "delete", "Ships", "-f", "Tons > 0"}},
		{4, "scopes members:manage", []string{"api", "POST", "/orgs/" + org + "/groups", "-d", `{"name":"Crew"}`}},
		{8, "refused", []string{"whoami", "--url", "http://127.0.0.1:1", "--token", "rhk_x"}},
	} {
		out, said, status := c.run(mistake.args...)
		if status != mistake.status || !strings.Contains(said, mistake.says) || out != "" {
			t.Errorf("%s: %d %s%s", strings.Join(mistake.args, " "), status, out, said)
		}
	}
	c.complete(t)
	c.importFile(t)
	c.ok("logout")
	if _, said, status := c.run("base", "list"); status != 3 {
		t.Errorf("after the sign-out: %d %s", status, said)
	}
}

// importFile imports a file of more rows than a request takes, and takes all of them back at once.
func (c *terminal) importFile(t *testing.T) {
	t.Helper()
	const rows = 21_000
	var file strings.Builder
	file.WriteString("Name,Tons\n")
	for i := range rows {
		fmt.Fprintf(&file, "Barge %d,%d\n", i, i)
	}
	if err := os.WriteFile(filepath.Join(c.home, "barges.csv"), []byte(file.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	out := c.ok("record", "import", "barges.csv", "--table", "Harbour/Ships")
	if !strings.Contains(out, fmt.Sprintf(`"created":%d,`, rows)) {
		t.Errorf("imported %s", out)
	}
	c.ok("revert", changeSetID.FindString(out), "-b", "Harbour", "--yes")
	if out := c.ok("record", "list", "Harbour/Ships", "--fields", "Name", "-o", "csv"); strings.Count(out, "\n") != 3 {
		t.Errorf("after the revert there are %s", out)
	}
}

// complete has bash complete command lines, with names of the service.
func (c *terminal) complete(t *testing.T) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		return
	}
	for _, line := range []struct{ words, want string }{
		{"rowhouse re", "record revert"},
		{"rowhouse record list har", "Harbour/Ships"},
		{"rowhouse record list Harbour/Ships --fields T", "Tons"},
		{"rowhouse record list -o c", "csv"},
	} {
		command := exec.CommandContext(t.Context(), bash, "-c", `rowhouse() { "$BINARY" "$@"; }
			eval "$(rowhouse completion bash)"; COMP_WORDS=($0); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _rowhouse
			echo "${COMPREPLY[*]}"`, line.words)
		command.Env = c.binary()
		out, err := command.CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != line.want {
			t.Errorf("%s is completed to %s %v", line.words, out, err)
		}
	}
}

// refresh lets the access token expire: the next command refreshes it, and saves what it got for its owner
// alone.
func (c *terminal) refresh(t *testing.T) {
	t.Helper()
	path := filepath.Join(c.home, ".config", "rowhouse", "profiles.json")
	read := func() (content map[string]any, tokens map[string]any) {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &content); err != nil {
			t.Fatal(err)
		}
		tokens, _ = at(content, "profiles.default.tokens.rest").(map[string]any)
		return content, tokens
	}
	content, tokens := read()
	former := tokens["refresh"]
	tokens["expires"] = "2020-01-01T00:00:00Z"
	if err := os.WriteFile(path, []byte(encode(content)), 0o600); err != nil {
		t.Fatal(err)
	}
	c.ok("base", "list")
	if _, tokens := read(); tokens["refresh"] == former || tokens["refresh"] == "" {
		t.Errorf("the refresh token is still %v", tokens["refresh"])
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the sign-in is in %v %v", info.Mode(), err)
	}
}

// testCommandLineTutorial types the commands of the tutorial into a shell, after a person has signed in.
func testCommandLineTutorial(t *testing.T, w *world) {
	if tenancytest.DB(t).Distributed() {
		t.Skip("the pages use SQL, which is off on Citus")
	}
	person := rowhousetest.SignUp(t, w.service.BaseURL, "Liv", "Tutorial")
	c := w.terminal(t)
	c.login(person, w.service.BaseURL)
	out := w.shellWith(t, `rowhouse() {
			if [ "$1" = login ]; then test "$2" = "`+w.service.BaseURL+`"; else "$BINARY" "$@"; fi
		}
`+commandsOf(readPage(t, "docs/tutorial/command-line.md")), c.binary()...)
	for _, want := range []string{
		`"credential":"oauth"`, `{"created":3,"updated":0,"refused":0,`, `"fields":{"Name":"Ragna","Tons":130}`,
		"Solveig,Ferry,4200,1987-05-17", `"title":"Solveig"`, `{"Kind":"Tug","sum":220}`, `"result":"created"`,
		`Tons: 90 → 95`, "~ field Ships.Tons: Tons → Gross tons", "+ field Ships.Draught (number)", "Reverted",
		"\nTons,number,",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the tutorial does not show %s", want)
		}
	}
	if strings.Contains(out, "rowhouse:") {
		t.Errorf("the tutorial makes mistakes: %s", out)
	}
	c.follow(t)
	c.listen(t)
}

// listen receives changes as a webhook sends them, and verifies their signatures.
func (c *terminal) listen(t *testing.T) {
	t.Helper()
	key := []byte("0123456789abcdef0123456789abcdef")
	received := make(chan string, 100)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.%s", r.Header.Get("Webhook-Id"), r.Header.Get("Webhook-Timestamp"), body)
		if r.Header.Get("Webhook-Signature") != "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)) {
			t.Errorf("a wrong signature of %s", body)
		}
		w.WriteHeader(http.StatusNoContent)
		received <- string(body)
	}))
	defer receiver.Close()
	listener := rowhousetest.Command(t, c.home, append(c.environment,
		"WEBHOOK_SECRET=whsec_"+base64.StdEncoding.EncodeToString(key)), "webhook", "listen", receiver.URL+"/hook",
		"-b", "Harbour", "--table", "ships", "--kind", "created", "--since", "earliest")
	if err := listener.Start(); err != nil {
		t.Fatal(err)
	}
	for range 4 { // three ships were imported, and one created
		message := <-received
		if !strings.Contains(message, `"type":"base.changed"`) || !strings.Contains(message, `"kind":"created"`) ||
			strings.Contains(message, "Aase") {
			t.Errorf("received %s", message)
		}
	}
	if err := listener.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := listener.Wait(); err != nil {
		t.Errorf("an interrupt: %v", err)
	}
}

// binary is the environment in which a script finds the program and the sign-in.
func (c *terminal) binary() []string {
	command := rowhousetest.Command(c.t, c.home, c.environment)
	return append(command.Env, "BINARY="+command.Path)
}

// follow changes a record while another process follows the base, until it is interrupted.
func (c *terminal) follow(t *testing.T) {
	t.Helper()
	follower := rowhousetest.Command(t, c.home, c.environment, "changes", "-b", "Harbour", "--follow", "-o", "ndjson")
	stdout, err := follower.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := follower.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	defer close(ended)
	go func() { // it may not be connected yet when the first ones happen
		for tons := 1; ; tons++ {
			select {
			case <-ended:
				return
			case <-time.After(200 * time.Millisecond):
				c.run("record", "update", "Harbour/Ships", "Aase", fmt.Sprint("Tons=", tons))
			}
		}
	}()
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil || !strings.Contains(line, `"kind":"updated"`) || !strings.Contains(line, `"Tons":`) {
		t.Errorf("followed %s %v", line, err)
	}
	if err := follower.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := follower.Wait(); err != nil {
		t.Errorf("an interrupt: %v", err)
	}
}
