package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
)

type recordImportCommand struct {
	connection `embed:""`
	output     `embed:""`

	File        string   `arg:"" help:"A CSV file whose header names fields; - is the standard input."`
	Table       string   `required:"" short:"t" placeholder:"TABLE" help:"Base/Table, or its id."`
	UpsertOn    []string `placeholder:"FIELD" help:"Update the records with the same values in these fields, and create the others."`
	SkipRefused bool     `help:"Leave out rows that do not fit, instead of importing nothing."`
	Decimal     string   `enum:",point,comma" default:"" placeholder:"SIGN" help:"point or comma, where the columns leave it open."`
	DateOrder   string   `enum:",DMY,MDY" default:"" placeholder:"ORDER" help:"DMY or MDY, where the columns leave it open."`
	Plan        bool     `help:"Say what would happen, and write nothing."`
}

func (recordImportCommand) Help() string {
	return `Examples:

  rowhouse record import ships.csv --table Harbour/Ships --upsert-on Name
  rowhouse record import ships.csv --table Harbour/Ships --plan

The import is one change set, which rowhouse revert takes back.`
}

// A text up to this many bytes and lines is sent within the request; a larger file is uploaded first, and
// imported in parts.
const (
	largestText  = 1 << 20
	largestLines = 15_000
	// importAttempts get an import through a restart of the service.
	importAttempts = 10
)

func (c *recordImportCommand) Run(ctx context.Context, to Streams) error {
	content, err := c.read(to)
	if err != nil {
		return err
	}
	client, err := c.client()
	if err != nil {
		return err
	}
	client = client.With(rowhouse.WithAttempts(importAttempts))
	table, err := findTable(ctx, client, c.Table)
	if err != nil {
		return err
	}
	upsertOn, err := fieldNames(table, c.UpsertOn)
	if err != nil {
		return err
	}
	body := map[string]any{"upsertOn": upsertOn, "skipRefused": c.SkipRefused, "plan": c.Plan}
	if c.Decimal != "" {
		body["decimal"] = c.Decimal
	}
	if c.DateOrder != "" {
		body["dateOrder"] = c.DateOrder
	}
	if len(content) <= largestText && bytes.Count(content, []byte{'\n'}) <= largestLines {
		body["csv"] = string(content)
	} else if body["file"], err = upload(ctx, client, table.ID, filepath.Base(c.File), content); err != nil {
		return err
	} else {
		client = client.With(rowhouse.WithChangeSet("import " + rand.Text()))
	}
	return c.send(ctx, to, client, table, body)
}

func (c *recordImportCommand) read(to Streams) ([]byte, error) {
	if c.File == "-" {
		content, err := io.ReadAll(to.In)
		if err != nil {
			return nil, fmt.Errorf("reading the standard input: %w", err)
		}
		return content, nil
	}
	content, err := os.ReadFile(c.File)
	if err != nil {
		return nil, fail(StatusUsage, "%v", err)
	}
	return content, nil
}

// upload stores a file and returns its id.
func upload(ctx context.Context, client *rowhouse.Client, table, name string, content []byte) (string, error) {
	var address rowhouse.UploadAddress
	if err := client.Send(ctx, rowhouse.Request{
		Method: http.MethodPost, Path: "/tables/" + table + "/uploads/address",
		Body: map[string]any{"name": name, "size": len(content)},
	}, &address); err != nil {
		return "", fmt.Errorf("uploading %s: %w", name, err)
	}
	if len(content) > address.MaxBytes {
		return "", fail(StatusRefused, "%s has %d bytes, and the service takes files of up to %d: split it", name,
			len(content), address.MaxBytes)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, address.URL, bytes.NewReader(content))
	if err != nil {
		return "", fmt.Errorf("uploading %s: %w", name, err)
	}
	response, err := (&http.Client{Timeout: time.Hour}).Do(request)
	if err != nil {
		return "", &rowhouse.ConnectionError{Err: err}
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", fail(statusOf(response.StatusCode), "uploading %s: %s", name, response.Status)
	}
	return address.ID, nil
}

// send imports the parts of the file, one after the other.
func (c *recordImportCommand) send(
	ctx context.Context, to Streams, client *rowhouse.Client, table *rowhouse.Table, body map[string]any,
) error {
	var total struct{ created, updated, refused, rows int } // rows: that were imported
	changeSet := ""
	bar := newProgress(to)
	defer bar.end()
	for {
		var part struct {
			rowhouse.Imported
			ChangeSet string `json:"changeSet"`
		}
		if err := client.Send(ctx, rowhouse.Request{
			Method: http.MethodPost, Path: "/tables/" + table.ID + "/records/import", Body: body,
			Idempotent: len(c.UpsertOn) > 0,
		}, &part); err != nil {
			if total.rows > 0 {
				bar.end()
				fmt.Fprintf(to.Err, "%d rows were imported before, in the change set %s.\n", total.rows, changeSet)
			}
			return err
		}
		total.created += part.Created
		total.updated += part.Updated
		total.refused += part.Refused
		total.rows = part.Rows // of the whole file
		if part.NextOffset > 0 {
			total.rows = part.NextOffset
		}
		if part.ChangeSet != "" {
			changeSet = part.ChangeSet
		}
		bar.show("%d of %d rows …", total.rows, part.Rows)
		c.report(to, bar, &part.Imported)
		if part.NextOffset == 0 {
			break
		}
		body["offset"] = part.NextOffset
	}
	bar.end()
	sheet := c.sheet(to, "created", "updated", "refused", "changeSet")
	sheet.one = true
	sheet.row(total.created, total.updated, total.refused, changeSet)
	return sheet.end()
}

// report says what a person should know of a part.
func (c *recordImportCommand) report(to Streams, bar *progress, part *rowhouse.Imported) {
	for _, refusal := range part.Refusals {
		bar.end()
		where := fmt.Sprintf("line %d", refusal.Line)
		if refusal.Field != "" {
			where += ", " + refusal.Field
		}
		fmt.Fprintf(to.Err, "Refused: %s: %s\n", where, refusal.Message)
	}
	if part.MoreRefusals > 0 {
		fmt.Fprintf(to.Err, "Refused: %d more rows; all of them: %s\n", part.MoreRefusals, part.RefusedFile.URL)
	}
	for _, name := range part.IgnoredFields {
		fmt.Fprintf(to.Err, "Not imported: the column %s\n", name)
	}
	for _, reading := range part.Readings {
		fmt.Fprintf(to.Err, "Read: %s\n", reading)
	}
	if len(part.NewOptions) > 0 {
		fmt.Fprintf(to.Err, "New options: %s\n", text(part.NewOptions))
	}
}
