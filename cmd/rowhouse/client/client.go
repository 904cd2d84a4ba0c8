// Package client contains the commands of rowhouse that use a service over its public interface: they sign
// in, read and write records, keep a base's structure in a file, and connect agents. It knows nothing of the
// service's packages except the words that it shares with them: names, codes and the tokens of formulas.
package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"golang.org/x/term"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
)

// Commands are the commands of the client.
type Commands struct {
	Login  loginCommand  `cmd:"" help:"Sign in to a service in the browser."`
	Logout logoutCommand `cmd:"" help:"Revoke the sign-in and forget it."`
	Whoami whoamiCommand `cmd:"" help:"Show who is signed in, where, and what they reach."`
	Base   struct {
		List   baseListCommand   `cmd:"" help:"List the bases."`
		Create baseCreateCommand `cmd:"" help:"Create a base."`
	} `cmd:"" help:"Bases."`
	Table struct {
		List   tableListCommand   `cmd:"" help:"List the tables of a base."`
		Create tableCreateCommand `cmd:"" help:"Create a table."`
	} `cmd:"" help:"Tables of a base."`
	Field struct {
		List fieldListCommand `cmd:"" help:"List the fields of a table."`
		Add  fieldAddCommand  `cmd:"" help:"Add a field to a table."`
	} `cmd:"" help:"Fields of a table."`
	Record struct {
		List   recordListCommand   `cmd:"" help:"List records, filtered and sorted."`
		Get    recordGetCommand    `cmd:"" help:"Show a record."`
		Create recordCreateCommand `cmd:"" help:"Create records."`
		Update recordUpdateCommand `cmd:"" help:"Change values of a record."`
		Delete recordDeleteCommand `cmd:"" help:"Delete records; restore brings them back."`
		Import recordImportCommand `cmd:"" help:"Import a CSV file."`
	} `cmd:"" help:"Records of a table."`
	Export  exportCommand  `cmd:"" help:"Export records as CSV."`
	SQL     sqlCommand     `cmd:"" name:"sql" help:"Run a SELECT statement over a base."`
	Search  searchCommand  `cmd:"" help:"Search all tables of a base."`
	History historyCommand `cmd:"" help:"Show what changed in a record or in a base."`
	Revert  revertCommand  `cmd:"" help:"Take change sets back."`
	Changes changesCommand `cmd:"" help:"Show the changes of a base, and follow them."`
	Schema  struct {
		Pull  schemaPullCommand  `cmd:"" help:"Write the structure of a base to a file."`
		Apply schemaApplyCommand `cmd:"" help:"Make a base like a file."`
	} `cmd:"" help:"The structure of a base, kept in a file."`
	Webhook struct {
		Listen webhookListenCommand `cmd:"" help:"Send a base's changes to an address of this machine, as a webhook does."`
	} `cmd:"" help:"Webhooks."`
	Types      typesCommand      `cmd:"" help:"Write the types of the tables of a base, for programs."`
	MCP        mcpCommand        `cmd:"" name:"mcp" help:"Connect an agent over its standard input and output."`
	Completion completionCommand `cmd:"" help:"Write a script that completes command lines in your shell."`
	Complete   completeCommand   `cmd:"" hidden:"" help:"List what may follow on a command line."`
	API        apiCommand        `cmd:"" name:"api" help:"Send any request of the REST interface."`
}

// Streams are where a command reads and writes: its result to Out, everything else to Err.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// isTerminal reports whether a stream is one that a person looks at.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// connection are the flags of every command that sends requests.
type connection struct {
	URL     string `env:"ROWHOUSE_URL" group:"Connection" placeholder:"URL" help:"The service. Default: that of the profile."`
	Token   string `env:"ROWHOUSE_TOKEN" group:"Connection" placeholder:"TOKEN" help:"An API key or access token, instead of a sign-in. Arguments are visible to other users of the machine: prefer the environment."`
	Profile string `env:"ROWHOUSE_PROFILE" group:"Connection" placeholder:"NAME" help:"The sign-in to use. Default: the last one that signed in."`
}

const (
	userAgent = "rowhouse-cli"
	// attempts are those of a request while a person waits, within about two seconds.
	attempts = 4
)

// client returns the client of the service that the flags or the profile name.
func (c *connection) client() (*rowhouse.Client, error) {
	session, err := c.session(restAudience)
	if err != nil {
		return nil, err
	}
	return rowhouse.New(session.url, rowhouse.WithTokens(session.token), rowhouse.WithUserAgent(userAgent),
		rowhouse.WithAttempts(attempts), rowhouse.WithHTTPClient(httpClient(session.url))), nil
}

// The exit statuses of the client's commands, which docs/reference/command-line.md documents.
const (
	StatusFailure      = 1 // for another reason
	StatusUsage        = 2 // the command line is invalid
	StatusSignedOut    = 3 // there is no valid sign-in
	StatusForbidden    = 4 // the credential or the person may not do this
	StatusNotFound     = 5 // something that was named does not exist
	StatusRefused      = 6 // the input is wrong; nothing was written
	StatusConflict     = 7 // something has changed in the meantime
	StatusNotAvailable = 8 // the service cannot be reached or is too busy
	StatusInterrupted  = 130
)

// A failure has the exit status of an error that is not the service's.
type failure struct {
	status  int
	message string
}

func (f *failure) Error() string { return f.message }

func fail(status int, format string, args ...any) error {
	return &failure{status, fmt.Sprintf(format, args...)}
}

// Status returns the exit status of an error.
func Status(err error) int {
	var own *failure
	var refused *rowhouse.Problem
	switch {
	case err == nil:
		return 0
	case errors.As(err, &own):
		return own.status
	case errors.As(err, &refused):
		return statusOf(refused.Status)
	case errors.Is(err, context.Canceled):
		return StatusInterrupted
	case errors.As(err, new(*rowhouse.ConnectionError)):
		return StatusNotAvailable
	}
	return StatusFailure
}

func statusOf(status int) int {
	switch status {
	case http.StatusUnauthorized:
		return StatusSignedOut
	case http.StatusForbidden:
		return StatusForbidden
	case http.StatusNotFound, http.StatusGone:
		return StatusNotFound
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return StatusRefused
	case http.StatusConflict, http.StatusPreconditionFailed:
		return StatusConflict
	}
	if status == http.StatusTooManyRequests || status >= http.StatusInternalServerError {
		return StatusNotAvailable
	}
	return StatusFailure
}

// Message is what a person reads of an error. Of a refused request it has each wrong place.
func Message(err error) string {
	var own *failure
	var refused *rowhouse.Problem
	if errors.As(err, &own) || !errors.As(err, &refused) {
		return err.Error()
	}
	var b strings.Builder
	if len(refused.Errors) > 1 {
		fmt.Fprintf(&b, "%d places are wrong:", len(refused.Errors))
		for _, item := range refused.Errors {
			fmt.Fprintf(&b, "\n  %s: %s", item.Path, item.Message)
		}
	} else {
		b.WriteString(refused.Detail)
	}
	if refused.Status == http.StatusUnauthorized {
		b.WriteString("\nSign in with rowhouse login, or set ROWHOUSE_TOKEN.")
	}
	if len(refused.Scopes) > 0 {
		fmt.Fprintf(&b, "\nThe call needs the scopes %s. Sign in again with rowhouse login --scopes %s.",
			strings.Join(refused.Scopes, ", "), strings.Join(refused.Scopes, ","))
	}
	if refused.OpenInApp != "" {
		fmt.Fprintf(&b, "\nA person can do it at %s", refused.OpenInApp)
	}
	return b.String()
}
