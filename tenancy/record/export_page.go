package record

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/delimited"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/membudget"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// An ExportPage is a part of the records of an export, with what a file of them needs. It is valid until the next one.
type ExportPage struct {
	Page
	version int64 // of the table's schema
	fields  []*schema.Field
	values  [][]json.RawMessage // of each record, in the order of fields; nil if only records were asked for
	links   map[*schema.Field]*linkNames
	people  *linkNames
}

// Fields are the fields with values, in the order of the columns.
func (p *ExportPage) Fields() []*schema.Field { return p.fields }

// Value is the value of a record in a column as JSON; empty for none.
func (p *ExportPage) Value(record, column int) json.RawMessage { return p.values[record][column] }

// Text is the value as the cell of a CSV file, without a guard. written says that a person may have written it, so that
// a spreadsheet must not run it.
func (p *ExportPage) Text(record, column int) (text string, written bool) {
	x := &exporter{links: p.links, people: p.people}
	return x.cell(p.fields[column], p.values[record][column])
}

// Entries is a value that is a list, as Text writes its entries.
func (p *ExportPage) Entries(record, column int) []string {
	f, raw := p.fields[column], p.values[record][column]
	switch {
	case f.Info().People:
		return p.people.entries(stringsOf(raw))
	case f.Link != nil:
		return p.links[f].entries(stringsOf(raw))
	}
	if entries, ok := entriesOf(raw); ok {
		return entries
	}
	return fileNamesOf(raw)
}

// AppendCSV appends the records as lines of CSV, after a line of names if header, and returns how many cells were
// guarded.
func (p *ExportPage) AppendCSV(write func(text []byte) error, header bool) (guarded int, err error) {
	x := &exporter{links: p.links, people: p.people, max: maxText}
	if header {
		x.header(p.fields)
	}
	x.rows(p)
	return x.guarded, write(x.text.Bytes())
}

// maxText bounds the text of a page, whose records are bounded already.
const maxText = 1 << 31

// Pages calls use with the records of a list, a part at a time, until it returns an error. request.Limit is how many
// records there are at most; 0 is all. plain leaves out values and names: the pages have only records as JSON.
func (e *Engine) Pages(
	ctx context.Context, actor Actor, table uuid.UUID, request query.Request, plain bool, use func(p *ExportPage) error,
) error {
	return e.pages(ctx, actor, table, request, plain, func(p *ExportPage, _ query.Request) (bool, error) {
		return true, use(p)
	})
}

// pages is Pages. use also gets the request of the page, and says whether to go on.
func (e *Engine) pages(
	ctx context.Context, actor Actor, table uuid.UUID, request query.Request, plain bool,
	use func(p *ExportPage, request query.Request) (more bool, err error),
) error {
	most, rows, version := request.Limit, 0, int64(0)
	request.Export = true
	read := func(request query.Request) (query.Request, func() (*ExportPage, error)) {
		request.Limit = query.MaxExportPage
		if most > 0 {
			request.Limit = min(request.Limit, most-rows)
		}
		return request, e.readPage(ctx, actor, table, request, plain)
	}
	request, next := read(request)
	for {
		page, err := next()
		if err != nil {
			return err
		}
		if version != 0 && version != page.version {
			return problem.Conflict("The fields of the table were changed during the export; begin again.").
				WithCode(problem.CodeSchemaChanged)
		}
		version = page.version
		of := request
		rows += len(page.Records)
		last := !page.HasMore || rows == most
		if !last { // it is read while this one is used
			request.Cursor, request.Offset = page.Cursor, 0
			request, next = read(request)
		}
		more, err := use(page, of)
		if err != nil || !more || last {
			if !last && !membudget.IsReserved(ctx) {
				_, _ = next() // it may not outlive the context
			}
			return err
		}
	}
}

// readPage begins to read a page, and returns a function that waits for it. Where the memory of a request is counted,
// which is for one read at a time, that function reads it.
func (e *Engine) readPage(
	ctx context.Context, actor Actor, table uuid.UUID, request query.Request, plain bool,
) (take func() (*ExportPage, error)) {
	if membudget.IsReserved(ctx) {
		return func() (*ExportPage, error) { return e.exportPage(ctx, actor, table, request, plain) }
	}
	var page *ExportPage
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if fault := recover(); fault != nil {
				err = fmt.Errorf("reading a page panicked: %v\n%s", fault, debug.Stack())
			}
		}()
		page, err = e.exportPage(ctx, actor, table, request, plain)
	}()
	return func() (*ExportPage, error) {
		<-done
		return page, err
	}
}

func (e *Engine) exportPage(
	ctx context.Context, actor Actor, table uuid.UUID, request query.Request, plain bool,
) (page *ExportPage, err error) {
	err = e.OnTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table) error {
		page = &ExportPage{version: t.Version, links: map[*schema.Field]*linkNames{}}
		parsed, err := query.Parse(actor.viewer(), t, &query.Request{Fields: request.Fields, Limit: 1})
		if err != nil {
			return err
		}
		if page.Page, err = e.List(ctx, actor, table, request); err != nil {
			return err
		}
		now, err := e.store.Cached(ctx, actor.Org)
		if err != nil {
			return fmt.Errorf("reading the schema: %w", err)
		}
		if after := now.Table(t.ID); after == nil || after.Version != t.Version { // the list is of other fields
			return db.ErrSchemaChanged
		}
		fields := t.Listed()
		if parsed.Fields != nil {
			fields = parsed.Fields
		}
		for _, f := range fields {
			if f.Column() == "" && f.Link == nil {
				continue // a button holds nothing
			}
			page.fields = append(page.fields, f)
		}
		if plain {
			return nil
		}
		if err := page.readValues(); err != nil {
			return err
		}
		return e.nameLinked(ctx, actor.Org, s, page)
	})
	return page, err
}

// nameLinked finds the names of the people and the linked records of a page.
func (e *Engine) nameLinked(ctx context.Context, org uuid.UUID, s *schema.Snapshot, page *ExportPage) (err error) {
	for at, f := range page.fields {
		if f.Info().People && page.people == nil {
			if page.people, err = e.members(ctx, org); err != nil {
				return err
			}
		}
		if f.Link == nil {
			continue
		}
		if page.links[f], err = e.namesOf(ctx, org, s.Table(f.Link.LinkedTable), page.values, at); err != nil {
			return err
		}
	}
	return nil
}

// readValues takes the values out of the records, whose members come in the order of the fields.
func (p *ExportPage) readValues() error {
	values := make([]json.RawMessage, len(p.fields)*len(p.Records))
	p.values = make([][]json.RawMessage, len(p.Records))
	keys := make([][]byte, len(p.fields))
	for i, f := range p.fields {
		keys[i] = append(field.AppendString(nil, f.Name), ':')
	}
	for i, record := range p.Records {
		row := values[:len(p.fields):len(p.fields)]
		values = values[len(p.fields):]
		p.values[i] = row
		if readInOrder(row, record, keys) {
			continue
		}
		next := 0
		take := func(name string, value []byte) bool {
			at := next
			if at >= len(p.fields) || p.fields[at].Name != name {
				at = slices.IndexFunc(p.fields, func(f *schema.Field) bool { return f.Name == name })
			}
			if at >= 0 {
				row[at], next = value, at+1
			}
			return true
		}
		var inner error
		err := jsonvalue.Members(record, func(name string, value []byte) bool {
			if name == "fields" {
				inner = jsonvalue.Members(value, take)
			}
			return name != "fields"
		})
		if err = errors.Join(err, inner); err != nil {
			return fmt.Errorf("reading a record to export: %w", err)
		}
	}
	return nil
}

// readInOrder takes the values out of a record as the engine writes it, if its members are those of keys.
func readInOrder(row []json.RawMessage, record []byte, keys [][]byte) bool {
	const begin = `"fields":{` // nothing before it is a text that people write
	i := bytes.Index(record, []byte(begin)) + len(begin)
	for at, key := range keys {
		if at > 0 && record[i] == ',' {
			i++
		}
		if !bytes.HasPrefix(record[i:], key) {
			return false
		}
		i += len(key)
		end := jsonvalue.SkipValue(record, i)
		row[at], i = record[i:end:end], end
	}
	return record[i] == '}'
}

// Guard makes a text safe in a spreadsheet that runs formulas, and reports whether it had to.
func Guard(text string) (safe string, guarded bool) {
	safe = delimited.Guard(text)
	return safe, safe != text
}
