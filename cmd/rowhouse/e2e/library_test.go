package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
	"github.com/rowhouse/rowhouse/cmd/rowhouse/rowhousetest"
	"github.com/rowhouse/rowhouse/docs/doctest"
)

// A library is a client library under test. It does the steps of libraryStep, and says what came of them.
type library struct {
	name string
	// do does a step, which it may say the progress of, until the context ends.
	do func(ctx context.Context, given map[string]any, progress func(int)) (outcome, error)
	// readme runs the program of the library's README.
	readme func(t *testing.T, environment []string) string

	base, table string // of its own
}

// An outcome is what came of a step, as JSON.
type outcome struct{ answer }

// libraryTest is what the steps of all libraries share.
type libraryTest struct {
	t       *testing.T // of the whole test, with which the service ends
	service *rowhousetest.Service
	client  *rowhouse.Client
	token   string
	listed  string // a table of 250 records that no step changes

	mu    sync.Mutex
	kills int
}

// libraryStep are the steps that every library does, in this order.
var libraryStep = []struct {
	name string
	test func(*testing.T, *libraryTest, *library)
}{
	{"readme", testLibraryReadme},
	{"list", testLibraryList},
	{"problem", testLibraryProblem},
	{"version", testLibraryVersion},
	{"changeSet", testLibraryChangeSet},
	{"repeat", testLibraryRepeat},
	{"job", testLibraryJob},
	{"watch", testLibraryWatch},
	{"kills", testLibraryKills},
}

// The libraries do the same steps at the same time against one service.
func TestLibraries(t *testing.T) {
	t.Parallel()
	libraries := []*library{goLibrary(t)}
	for name, start := range map[string]func(*testing.T) (*library, error){
		"TypeScript": typescriptLibrary, "Python": pythonLibrary,
	} {
		l, err := start(t)
		if err != nil {
			t.Run(name, func(t *testing.T) { t.Skipf("the library is not tested here: %v", err) })
			continue
		}
		l.name = name
		libraries = append(libraries, l)
	}
	w := newLibraryTest(t)
	for _, l := range libraries {
		l.base = w.create(t, "/bases", map[string]any{"name": "Harbour"})
		l.table = w.create(t, "/bases/"+l.base+"/tables", map[string]any{"name": "Ships"})
	}
	for _, step := range libraryStep {
		t.Run(step.name, func(t *testing.T) {
			var running sync.WaitGroup
			for _, l := range libraries {
				running.Go(func() { t.Run(l.name, func(t *testing.T) { step.test(t, w, l) }) })
			}
			running.Wait()
		})
	}
}

func newLibraryTest(t *testing.T) *libraryTest {
	t.Helper()
	w := &libraryTest{t: t, service: rowhousetest.Start(t)}
	person := rowhousetest.SignUp(t, w.service.BaseURL, "Kari", "Harbour")
	w.token = person.Mint("data:read", "data:write", "schema:read", "schema:write")
	w.client = rowhouse.New(w.service.BaseURL, rowhouse.WithToken(w.token))
	base := w.create(t, "/bases", map[string]any{"name": "Listed"})
	w.listed = w.create(t, "/bases/"+base+"/tables", map[string]any{"name": "Ships"})
	for _, n := range []int{100, 200, 0} {
		w.add(t, w.listed, numbered(n, min(n+100, 250))...)
	}
	return w
}

func (w *libraryTest) create(t *testing.T, path string, body map[string]any) string {
	t.Helper()
	var made rowhouse.Named
	request := rowhouse.Request{Method: "POST", Path: path, Body: body}
	if err := w.client.Send(t.Context(), request, &made); err != nil {
		t.Fatal(err)
	}
	return made.ID
}

func (w *libraryTest) add(t *testing.T, table string, names ...string) {
	t.Helper()
	write := rowhouse.Write{}
	for _, name := range names {
		write.Records = append(write.Records, rowhouse.Values{"Name": name})
	}
	if _, err := w.client.Create(t.Context(), table, write); err != nil {
		t.Fatal(err)
	}
}

// numbered are the names of ships from one number up to another.
func numbered(from, to int) (names []string) {
	for n := from; n < to; n++ {
		names = append(names, fmt.Sprintf("Ship %03d", n))
	}
	return names
}

// step has a library do a step at the service, unless given names another address.
func (w *libraryTest) step(t *testing.T, l *library, name string, given map[string]any, progress func(int)) outcome {
	t.Helper()
	all := map[string]any{"step": name, "url": w.service.BaseURL, "token": w.token, "base": l.base, "table": l.table}
	for member, value := range given {
		all[member] = value
	}
	if progress == nil {
		progress = func(int) {}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	result, err := l.do(ctx, all, progress)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// strings returns a member that is a list of texts.
func (o outcome) strings(path string) (list []string) {
	values, _ := o.get(path).([]any)
	for _, value := range values {
		list = append(list, fmt.Sprint(value))
	}
	return list
}

func outcomeOf(raw []byte) (outcome, error) {
	var o outcome
	o.raw = string(raw)
	return o, json.Unmarshal(raw, &o.body)
}

// startLibrary starts a program that does the steps that it reads from its standard input.
func startLibrary(t *testing.T, command *exec.Cmd) *library {
	t.Helper()
	var complaints bytes.Buffer
	command.Stderr = &complaints
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := command.Wait(); err != nil || complaints.Len() > 0 {
			t.Errorf("%s: %v %s", command, err, complaints.String())
		}
	})
	asked, lines := json.NewEncoder(in), bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	do := func(ctx context.Context, given map[string]any, progress func(int)) (outcome, error) {
		defer context.AfterFunc(ctx, func() { _ = command.Process.Kill() })()
		if err := asked.Encode(given); err != nil {
			return outcome{}, fmt.Errorf("asking the program: %w", err)
		}
		for lines.Scan() {
			var said struct {
				Progress int
				Result   json.RawMessage
				Error    string
			}
			if err := json.Unmarshal(lines.Bytes(), &said); err != nil {
				return outcome{}, fmt.Errorf("the program said %s: %w", lines.Bytes(), err)
			}
			switch {
			case said.Error != "":
				return outcome{}, fmt.Errorf("the program failed: %s", said.Error)
			case said.Result != nil:
				return outcomeOf(said.Result)
			}
			progress(said.Progress)
		}
		return outcome{}, fmt.Errorf("the program ended: %w", errors.Join(ctx.Err(), lines.Err()))
	}
	return &library{do: do}
}

// run runs a command that must succeed and have nothing to complain of, and returns its output.
func run(t *testing.T, command *exec.Cmd) string {
	t.Helper()
	var out, said bytes.Buffer
	command.Stdout, command.Stderr = &out, &said
	if err := command.Run(); err != nil {
		t.Fatalf("%s: %v %s%s", command, err, out.String(), said.String())
	}
	if said.Len() > 0 { // Python prints some warnings without failing
		t.Errorf("%s said %s", command, said.String())
	}
	return out.String()
}

// typescriptLibrary checks the types of the client and its tests, and starts their program. The error says what
// this machine has not.
func typescriptLibrary(t *testing.T) (*library, error) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, fmt.Errorf("looking for Node.js: %w", err)
	}
	dir := filepath.Join(doctest.Root(t), "clients", "typescript")
	at := func(script string) *exec.Cmd {
		command := exec.CommandContext(context.WithoutCancel(t.Context()), node, script)
		command.Dir = dir
		return command
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "typescript")); err != nil {
		t.Fatalf("the compiler of the TypeScript client is not installed: run the tests with `make test`, or `npm ci` "+
			"in clients/typescript (%v)", err)
	}
	check := exec.CommandContext(t.Context(), "npm", "run", "--silent", "check")
	check.Dir = dir
	run(t, check)
	const largest = 12 << 10
	var size int
	if _, err := fmt.Sscan(run(t, at("test/size.mjs")), &size); err != nil || size == 0 || size > largest {
		t.Errorf("a page that lists and creates records loads %d bytes, more than %d (%v)", size, largest, err)
	}
	l := startLibrary(t, at("build/steps.js"))
	l.readme = func(t *testing.T, environment []string) string {
		command := at("build/readme.js")
		command.Env = environment
		return run(t, command)
	}
	return l, nil
}

// pythonLibrary compiles the Python client, and starts the program of its tests. The error says what this machine
// has not.
func pythonLibrary(t *testing.T) (*library, error) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		return nil, fmt.Errorf("looking for Python: %w", err)
	}
	if exec.CommandContext(t.Context(), python, "-c", "from typing import NotRequired").Run() != nil {
		return nil, errors.New("python3 is older than 3.11")
	}
	dir := filepath.Join(doctest.Root(t), "clients", "python")
	at := func(arguments ...string) *exec.Cmd {
		ctx := context.WithoutCancel(t.Context())
		command := exec.CommandContext(ctx, python, append([]string{"-W", "error"}, arguments...)...)
		command.Env = append(os.Environ(), "PYTHONPATH="+dir, "PYTHONPYCACHEPREFIX="+t.TempDir())
		return command
	}
	run(t, at("-m", "compileall", "-q", "-f", dir))
	l := startLibrary(t, at(filepath.Join(dir, "test", "steps.py")))
	l.readme = func(t *testing.T, environment []string) string {
		command := at("-c", blocksOf(t, "clients/python/README.md", "python"))
		command.Env = append(command.Env, environment...)
		return run(t, command)
	}
	return l, nil
}

// blocksOf joins the blocks of code of a page.
func blocksOf(t *testing.T, page, language string) string {
	t.Helper()
	var blocks []string
	block := regexp.MustCompile("(?ms)^```" + language + "\n(.*?)^```$")
	for _, found := range block.FindAllStringSubmatch(readPage(t, page), -1) {
		blocks = append(blocks, found[1])
	}
	if len(blocks) == 0 {
		t.Fatalf("%s has no code", page)
	}
	return strings.Join(blocks, "\n")
}

// The programs of all READMEs do the same.
func testLibraryReadme(t *testing.T, w *libraryTest, l *library) {
	const want = `3 created
Ragna 130
Aase 90
version_changed 95
updated 95
Name,Kind,Tons
Solveig,Ferry,4200
Aase,Tug,95
Ragna,Tug,130
`
	environment := append(os.Environ(), "ROWHOUSE_URL="+w.service.BaseURL, "ROWHOUSE_TOKEN="+w.token)
	got := l.readme(t, environment)
	if lines := strings.Fields(got); !slices.Equal(lines, strings.Fields(want)) {
		t.Errorf("the program of the README prints\n%s\nand not\n%s", got, want)
	}
}
