package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
)

// values reads FIELD=VALUE arguments for the fields of a table. A value is what the kind of the field takes:
// a number, true or false, a list with commas. FIELD:=JSON gives it as it is.
func values(table *rowhouse.Table, list []string) (rowhouse.Values, error) {
	out := rowhouse.Values{}
	for _, text := range list {
		name, value, found := strings.Cut(text, "=")
		if !found {
			return nil, fail(StatusUsage, "%q is not a value; values are written FIELD=VALUE, as Tons=90", text)
		}
		name, raw := strings.CutSuffix(name, ":")
		field, err := findField(table, name)
		if err != nil {
			return nil, err
		}
		switch {
		case raw:
			var decoded any
			if err := json.Unmarshal([]byte(value), &decoded); err != nil {
				return nil, fail(StatusUsage, "%s: the value is not JSON: %v", text, err)
			}
			out[field.Name] = decoded
		case value == "":
			out[field.Name] = nil
		default:
			out[field.Name] = valueOf(field, value)
		}
	}
	return out, nil
}

// valueOf is a text as the JSON value of a field. What does not fit stays a text, and the service says what
// is wrong with it.
func valueOf(field *rowhouse.Field, text string) any {
	switch rowhouse.FieldType(field.Type) {
	case rowhouse.FieldTypeNumber, rowhouse.FieldTypeCurrency, rowhouse.FieldTypePercent, rowhouse.FieldTypeRating:
		if number, err := strconv.ParseFloat(text, 64); err == nil {
			return number
		}
	case rowhouse.FieldTypeCheckbox:
		if is, err := strconv.ParseBool(text); err == nil {
			return is
		}
	case rowhouse.FieldTypeMultiSelect, rowhouse.FieldTypeLink:
		parts := strings.Split(text, ",")
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		return parts
	case rowhouse.FieldTypeJSON:
		if json.Valid([]byte(text)) {
			return json.RawMessage(text)
		}
	default:
	}
	return text
}

type recordCreateCommand struct {
	connection `embed:""`
	output     `embed:""`

	Table    string   `arg:"" help:"Base/Table, or its id."`
	Values   []string `arg:"" optional:"" placeholder:"FIELD=VALUE" help:"Values of one record. FIELD:=JSON gives any value."`
	From     string   `placeholder:"FILE" help:"Records from a file of NDJSON, one object by the names of fields a line; - is the standard input."`
	UpsertOn []string `placeholder:"FIELD" help:"Update the records with the same values in these fields, and create the others."`
	Typecast bool     `help:"Convert values, find links by name, and add options of selects."`
}

func (recordCreateCommand) Help() string {
	return `Examples:

  rowhouse record create Harbour/Ships Name=Aase Kind=Tug Tons=90
  rowhouse record create Harbour/Ships Name=Aase Tons=95 --upsert-on Name
  rowhouse record list Harbour/Ships -o ndjson | jq -c .fields | rowhouse record create Copy/Ships --from -`
}

const largestWrite = 100

func (c *recordCreateCommand) Run(ctx context.Context, to Streams) error {
	if (c.From == "") == (len(c.Values) == 0) {
		return fail(StatusUsage, "give either FIELD=VALUE or --from")
	}
	client, err := c.client()
	if err != nil {
		return err
	}
	table, err := findTable(ctx, client, c.Table)
	if err != nil {
		return err
	}
	write := rowhouse.Write{UpsertOn: c.UpsertOn, Typecast: c.Typecast}
	sheet := c.sheet(to, "id", "result")
	if c.From == "" {
		one, err := values(table, c.Values)
		if err != nil {
			return err
		}
		write.Records = []rowhouse.Values{one}
		if err := send(ctx, client, table, write, sheet); err != nil {
			return err
		}
		return sheet.end()
	}
	file, err := openInput(to, c.From)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := c.sendAll(ctx, client, table, write, file, sheet); err != nil {
		return errors.Join(err, sheet.end())
	}
	return sheet.end()
}

// sendAll writes the records of NDJSON. Each request is all or none, and the error says where it began.
func (c *recordCreateCommand) sendAll(
	ctx context.Context, client *rowhouse.Client, table *rowhouse.Table, write rowhouse.Write, from io.Reader, s *sheet,
) error {
	decoder := json.NewDecoder(bufio.NewReader(from))
	for written := 0; ; written += len(write.Records) {
		write.Records = nil
		for len(write.Records) < largestWrite {
			var one rowhouse.Values
			err := decoder.Decode(&one)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return fail(StatusRefused, "record %d is not a JSON object: %v; %d records were written before it",
					written+len(write.Records)+1, err, written)
			}
			write.Records = append(write.Records, one)
		}
		if len(write.Records) == 0 {
			return nil
		}
		if err := send(ctx, client, table, write, s); err != nil {
			if written > 0 {
				return fmt.Errorf("after %d records that were written: %w", written, err)
			}
			return err
		}
	}
}

func send(
	ctx context.Context, client *rowhouse.Client, table *rowhouse.Table, write rowhouse.Write, sheet *sheet,
) error {
	written, err := client.Create(ctx, table.ID, write)
	if err != nil {
		return err
	}
	updated := map[string]bool{}
	for _, id := range written.Updated {
		updated[id] = true
	}
	for _, record := range written.Records {
		result := "created"
		if updated[record.ID] {
			result = "updated"
		}
		sheet.row(record.ID, result)
	}
	return nil
}

// openInput opens a file, or the standard input for -.
func openInput(to Streams, name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(to.In), nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, fail(StatusUsage, "%v", err)
	}
	return file, nil
}
