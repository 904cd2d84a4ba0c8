package doctest_test

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/docs/doctest"
	"github.com/rowhouse/rowhouse/problem"
)

var update = flag.Bool("update", false, "write the generated parts of the documentation again")

// The page of problems is generated from the codes in the source, with the status and the sentence
// of each.
func TestProblemDocumentation(t *testing.T) {
	t.Parallel()
	codes := problemCodes(t)
	if len(codes) < 80 {
		t.Fatalf("only %d codes were found", len(codes))
	}
	var b strings.Builder
	b.WriteString("| code | status | what it says |\n|---|---|---|\n")
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		found := codes[code]
		var statuses []string
		for _, status := range slices.Sorted(maps.Keys(found.statuses)) {
			statuses = append(statuses, strconv.Itoa(status))
		}
		slices.SortFunc(found.messages, func(a, b string) int {
			return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
		})
		message := composed[code]
		if message == "" && len(found.messages) > 0 {
			message = found.messages[0]
		}
		if message == "" || message == "…" {
			t.Errorf("the sentence of %s is made while the service runs; describe it in composed", code)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", code, strings.Join(statuses, ", "), doctest.Cell(message))
	}
	doctest.Part(t, "reference/problems.md", "codes", b.String(), *update)
}

// composed describes the codes whose sentence is composed at run time.
var composed = map[string]string{
	"cross_origin":         "A session works only for requests from this service's own pages.",
	"form_closed":          "The form takes no more answers; the sentence is the one that it has for this.",
	"formula_cycle":        "The field would compute from itself; the sentence names the fields on the way.",
	"insufficient_role":    "The call needs a higher role in the organization; the sentence names it.",
	"invalid_token":        "The access token is not valid, has expired, or is for another address; sign in again.",
	"not_found":            "No … has the id …, or it is not yours to see.",
	"password_required":    "The link needs a password, or what was sent is not it.",
	"revert_conflict":      "Values have changed again since; current has the plan with its conflicts.",
	"sql_invalid":          "The statement may not run so; the sentence has the line, the column and what would do.",
	"values_would_be_lost": "The change would lose what the sentence lists, and was not made. Give discard to go on.",
}

// A found code has the statuses with which it is sent, and its messages.
type found struct {
	statuses map[int]bool
	messages []string
}

// problemCodes reads the codes of problems from the source of the service.
func problemCodes(t *testing.T) map[string]*found {
	t.Helper()
	root := doctest.Root(t)
	files := token.NewFileSet()
	packages := map[string][]*ast.File{}
	parts := []string{"api", "authz", "cmd", "cors", "internal", "mcp", "outbound", "problem", "tenancy", "web"}
	for _, part := range parts {
		err := filepath.WalkDir(filepath.Join(root, part), func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() && (entry.Name() == "node_modules" || strings.HasSuffix(entry.Name(), "test")) {
				return filepath.SkipDir
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			packages[filepath.Dir(path)] = append(packages[filepath.Dir(path)], file)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	r := &reader{codes: map[string]*found{}, constants: map[string]string{}}
	for _, parsed := range packages {
		for _, file := range parsed {
			r.readConstants(file)
		}
	}
	for _, parsed := range packages {
		r.name, r.helpers = parsed[0].Name.Name, map[string]helper{}
		for _, file := range parsed {
			r.readFile(file)
		}
		for _, file := range parsed {
			r.readHelperCalls(file)
		}
	}
	return r.codes
}

// A reader collects codes.
type reader struct {
	codes     map[string]*found
	constants map[string]string // by package and name, as in problem.KindInvalid
	name      string            // of the package that is read
	helpers   map[string]helper // functions of the package that take the code as an argument
}

// A helper makes a problem of the code at one of its parameters. The next argument is the message.
type helper struct {
	parameter int
	status    int
}

func (r *reader) add(code string, status int, message string) {
	one := r.codes[code]
	if one == nil {
		one = &found{statuses: map[int]bool{}}
		r.codes[code] = one
	}
	if status != 0 {
		one.statuses[status] = true
	}
	if message != "" && !slices.Contains(one.messages, message) {
		one.messages = append(one.messages, message)
	}
}

func (r *reader) readConstants(file *ast.File) {
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for i, name := range spec.Names {
			if i < len(spec.Values) {
				if text, ok := literal(spec.Values[i]); ok {
					r.constants[file.Name.Name+"."+name.Name] = text
				}
			}
		}
		return true
	})
}

func (r *reader) readFile(file *ast.File) {
	for _, declaration := range file.Decls {
		var within *ast.FuncDecl
		if function, ok := declaration.(*ast.FuncDecl); ok {
			within = function
		}
		ast.Inspect(declaration, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.CompositeLit:
				if code, status, message := r.literalProblem(n); code != "" {
					r.add(code, status, message)
				}
			case *ast.CallExpr:
				r.readCall(n, within)
			}
			return true
		})
	}
}

// readCall reads a call of WithCode or of WriteStatus.
func (r *reader) readCall(call *ast.CallExpr, within *ast.FuncDecl) {
	name := calledName(call)
	switch {
	case name == "WriteStatus" && len(call.Args) == 5:
		if code, ok := r.text(call.Args[3]); ok {
			r.add(code, statusOf(call.Args[2]), shown(call.Args[4]))
		}
	case name == "WithCode" && len(call.Args) == 1:
		made := call.Fun.(*ast.SelectorExpr).X
		status, message := r.describe(made, within)
		if code, ok := r.text(call.Args[0]); ok {
			r.add(code, status, message)
			return
		}
		identifier, ok := call.Args[0].(*ast.Ident)
		if !ok || within == nil {
			return
		}
		at := 0
		for _, field := range within.Type.Params.List {
			for _, parameter := range field.Names {
				if parameter.Name == identifier.Name {
					r.helpers[within.Name.Name] = helper{at, status}
				}
				at++
			}
		}
	}
}

func (r *reader) readHelperCalls(file *ast.File) {
	ast.Inspect(file, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		if h, ok := r.helpers[calledName(call)]; ok && h.parameter < len(call.Args) {
			if code, ok := r.text(call.Args[h.parameter]); ok {
				message := ""
				if h.parameter+1 < len(call.Args) {
					message = shown(call.Args[h.parameter+1])
				}
				r.add(code, h.status, message)
			}
		}
		return true
	})
}

// constructors are the functions of package problem that make an error, with its kind and the place of its message.
var constructors = map[string]struct {
	kind    problem.Kind
	message int
}{
	"Invalid": {problem.KindInvalid, 1}, "InvalidItems": {problem.KindInvalid, -1},
	"NotFound": {problem.KindNotFound, -1}, "Conflict": {problem.KindConflict, 0},
	"Forbidden": {problem.KindForbidden, 0}, "Unauthenticated": {problem.KindUnauthenticated, 0},
	"Unavailable": {problem.KindUnavailable, -1},
}

// describe returns the status and the message of the problem that an expression makes.
func (r *reader) describe(made ast.Expr, within *ast.FuncDecl) (status int, message string) {
	switch e := made.(type) {
	case *ast.ParenExpr:
		return r.describe(e.X, within)
	case *ast.UnaryExpr:
		return r.describe(e.X, within)
	case *ast.CompositeLit:
		_, status, message := r.literalProblem(e)
		return status, message
	case *ast.CallExpr:
		name := calledName(e)
		if constructor, ok := constructors[name]; ok {
			if constructor.message >= 0 && constructor.message < len(e.Args) {
				message = shown(e.Args[constructor.message])
			}
			return statusOfKind(constructor.kind), message
		}
		if selector, ok := e.Fun.(*ast.SelectorExpr); ok && name == "Because" {
			return r.describe(selector.X, within)
		}
	case *ast.Ident:
		return r.assigned(e.Name, within)
	}
	return 0, ""
}

// assigned describes what a function assigns to a variable first.
func (r *reader) assigned(name string, within *ast.FuncDecl) (status int, message string) {
	if within == nil {
		return 0, ""
	}
	ast.Inspect(within, func(node ast.Node) bool {
		if assignment, ok := node.(*ast.AssignStmt); ok && status == 0 {
			for i, left := range assignment.Lhs {
				if target, ok := left.(*ast.Ident); ok && target.Name == name && i < len(assignment.Rhs) {
					if value, ok := assignment.Rhs[i].(*ast.Ident); !ok || value.Name != name {
						status, message = r.describe(assignment.Rhs[i], within)
					}
				}
			}
		}
		return true
	})
	return status, message
}

// literalProblem reads a literal of problem.Error.
func (r *reader) literalProblem(literal *ast.CompositeLit) (code string, status int, message string) {
	name := ""
	switch kind := literal.Type.(type) {
	case *ast.SelectorExpr:
		name = kind.Sel.Name
	case *ast.Ident:
		name = kind.Name
	}
	if name != "Error" {
		return "", 0, ""
	}
	for _, element := range literal.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, ok := pair.Key.(*ast.Ident)
		if !ok {
			continue
		}
		switch key.Name {
		case "Code":
			code, _ = r.text(pair.Value)
		case "Message":
			message = shown(pair.Value)
		case "Kind":
			if kind, ok := r.text(pair.Value); ok {
				status = statusOfKind(problem.Kind(kind))
			}
		}
	}
	return code, status, message
}

// text returns the value of a literal or of a constant.
func (r *reader) text(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.Ident:
		value, ok := r.constants[r.name+"."+e.Name]
		return value, ok
	case *ast.SelectorExpr:
		of, ok := e.X.(*ast.Ident)
		if !ok {
			return "", false
		}
		value, ok := r.constants[of.Name+"."+e.Sel.Name]
		return value, ok
	}
	return literal(e)
}

func calledName(call *ast.CallExpr) string {
	switch function := call.Fun.(type) {
	case *ast.Ident:
		return function.Name
	case *ast.SelectorExpr:
		return function.Sel.Name
	}
	return ""
}

// statusOfKind returns the HTTP status of a kind.
func statusOfKind(kind problem.Kind) int { return problem.New(&problem.Error{Kind: kind}, "").Status }

// statusOf returns the value of a constant of net/http.
func statusOf(e ast.Expr) int {
	selector, ok := e.(*ast.SelectorExpr)
	if !ok {
		return 0
	}
	for status := 400; status < 600; status++ {
		name := strings.NewReplacer(" ", "", "-", "").Replace(http.StatusText(status))
		if name != "" && selector.Sel.Name == "Status"+name {
			return status
		}
	}
	return 0
}

func literal(e ast.Expr) (string, bool) {
	value, ok := e.(*ast.BasicLit)
	if !ok || value.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(value.Value)
	return text, err == nil
}

var verb = regexp.MustCompile(`%[-+# 0]*[0-9]*(\.[0-9]+)?[a-z]`)

// shown returns a message with … instead of its variable parts. A message without a constant part
// is "".
func shown(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ := literal(e)
		return verb.ReplaceAllString(text, "…")
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return strings.ReplaceAll(shownOr(e.X)+shownOr(e.Y), "……", "…")
		}
	case *ast.CallExpr:
		if calledName(e) == "Sprintf" && len(e.Args) > 0 {
			return shown(e.Args[0])
		}
	}
	return ""
}

func shownOr(e ast.Expr) string {
	if text := shown(e); text != "" {
		return text
	}
	return "…"
}
