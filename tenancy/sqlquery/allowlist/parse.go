package allowlist

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wasilibs/go-pgquery/parser"
)

// ErrParser says that the parser has failed in a way that may have corrupted its memory. From then on
// it accepts no statement until the process is restarted.
var ErrParser = errors.New("the SQL parser has failed and is out of use until the service is started again")

// The parser is one WebAssembly instance, used by one statement at a time: a parse takes less than a
// millisecond. Compiling it takes some two seconds, once in a process.
var (
	parsing sync.Mutex
	failed  atomic.Bool
	warm    sync.Once
)

// parseTime is the duration of a parse after which the parser counts as broken.
const parseTime = 10 * time.Second

// Warm compiles the parser, so that the first statement does not wait for it.
func Warm() {
	warm.Do(func() { _, _ = parser.ParseToJSON("select 1") })
}

// parse returns the tree of a statement as libpg_query writes it in JSON.
func parse(sql string) (map[string]any, error) {
	if failed.Load() {
		return nil, ErrParser
	}
	Warm()
	parsing.Lock()
	defer parsing.Unlock()
	type answer struct {
		tree string
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				failed.Store(true)
				done <- answer{"", fmt.Errorf("%w: %v", ErrParser, p)}
			}
		}()
		tree, err := parser.ParseToJSON(sql)
		done <- answer{tree, err}
	}()
	select {
	case a := <-done:
		if a.err != nil {
			return nil, a.err
		}
		var tree map[string]any
		if err := json.Unmarshal([]byte(a.tree), &tree); err != nil {
			return nil, fmt.Errorf("reading the tree of a statement: %w", err)
		}
		return tree, nil
	case <-time.After(parseTime):
		failed.Store(true)
		return nil, fmt.Errorf("%w: no answer in %s", ErrParser, parseTime)
	}
}

// hintQuotes adds to a syntax error, if quotes would help, that a name at it or before it is also a
// word of SQL.
func hintQuotes(err error, tokens []token, catalog *Catalog) error {
	var refused, then *Refusal
	if !errors.As(err, &refused) {
		return err
	}
	at := len(tokens) - 1
	for at > 0 && tokens[at].at > refused.At {
		at--
	}
	for i := max(at-1, 0); i <= at; i++ {
		name := catalog.named(&tokens[i])
		if name == "" {
			continue
		}
		quoted := slices.Clone(tokens)
		quoted[i].text = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		_, err := parseStatement(write(quoted))
		if err == nil || errors.As(err, &then) && then.At > refused.At {
			refused.Names = fmt.Sprintf("; the name %q is also a word of SQL, and stands in double quotes", name)
			break
		}
	}
	return err
}

// syntaxError returns the refusal of a text that is no SQL; at is an offset in the parsed text.
func syntaxError(err error) *Refusal {
	var wrong *parser.Error
	if !errors.As(err, &wrong) {
		return nil
	}
	return refuse(max(wrong.Cursorpos-1, 0), "%s", wrong.Message)
}
