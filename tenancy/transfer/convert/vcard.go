package convert

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

// A records is rows whose columns are found while they are read. Those of one kind come together.
type records struct {
	kinds   []string // of columns, in their order
	columns []*foundColumn
	rows    int
	dropped int // values without a column
}

// A foundColumn is a column of records.
type foundColumn struct {
	kind, name string
	form       string // the type of its field
	options    []string
}

// A cell is a value of a record in a column.
type cell struct {
	kind, name, form string
	value            string
	parts            []string // of a list
}

// add finds the columns of a row.
func (r *records) add(row []cell) {
	r.rows++
	for i := range row {
		c := r.find(&row[i])
		if c == nil {
			if len(r.columns) == MaxColumns {
				r.dropped++
				continue
			}
			c = &foundColumn{kind: row[i].kind, name: row[i].name, form: row[i].form}
			r.columns = append(r.columns, c)
		}
		if c.form != row[i].form { // not all of its values are such
			c.form = textForm
		}
		for _, part := range row[i].parts {
			if len(c.options) <= field.MaxOptions && !slices.Contains(c.options, part) {
				c.options = append(c.options, part)
			}
		}
	}
}

func (r *records) find(of *cell) *foundColumn {
	at := slices.IndexFunc(r.columns, func(c *foundColumn) bool { return c.name == of.name })
	if at < 0 {
		return nil
	}
	return r.columns[at]
}

// begin orders the columns, and writes their names.
func (r *records) begin(out *table) error {
	slices.SortStableFunc(r.columns, func(a, b *foundColumn) int {
		return slices.Index(r.kinds, a.kind) - slices.Index(r.kinds, b.kind)
	})
	names := make([]string, len(r.columns))
	for i, c := range r.columns {
		names[i] = c.name
	}
	return out.write(names)
}

func (r *records) write(out *table, row []cell) error {
	cells := make([]string, len(r.columns))
	for i, c := range r.columns {
		at := slices.IndexFunc(row, func(one cell) bool { return one.name == c.name })
		if at < 0 {
			continue
		}
		cells[i] = row[at].value
		if row[at].parts != nil {
			cells[i] = field.JoinNames(row[at].parts)
		}
	}
	return out.write(cells)
}

// result says what was found.
func (r *records) result() *Result {
	out := &Result{}
	for _, c := range r.columns {
		column := Column{Type: c.form}
		switch {
		case c.form == listForm && len(c.options) > 0 && len(c.options) <= field.MaxOptions:
			column = Column{Type: "multi_select", Options: c.options}
		case c.form == listForm:
			column.Type = textForm
		}
		out.Columns = append(out.Columns, column)
	}
	if r.dropped > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("Values beyond the first %d columns were left out: %d.", MaxColumns,
			r.dropped))
	}
	return out
}

// convertTwice reads rows twice: to find the columns, and to write them.
func convertTwice(to *os.File, kinds []string, what string, read func(use func(row []cell) error) error) *Result {
	r := &records{kinds: kinds}
	err := read(func(row []cell) error {
		r.add(row)
		return nil
	})
	if err == nil && r.rows == 0 {
		return &Result{Problem: "has no " + what}
	}
	if err == nil {
		out := newTable(to)
		if err = r.begin(out); err == nil {
			err = read(func(row []cell) error { return r.write(out, row) })
		}
		if err == nil {
			err = out.out.Flush()
		}
	}
	if err != nil {
		return &Result{Problem: "cannot be read: " + err.Error()}
	}
	return r.result()
}

// cardKinds are the columns of vCards, in their order.
var cardKinds = []string{
	"Name", "First name", "Last name", "Nickname", "Organization", "Department", "Job title", "E-mail", "Phone",
	"Address", "URL", "Birthday", "Anniversary", "Categories", "Note",
}

// convertCards makes a row of each vCard, of the versions 2.1 to 4.0.
func convertCards(from, to *os.File) *Result {
	return convertTwice(to, cardKinds, "vCard", func(use func(row []cell) error) error {
		lines, err := newLineReader(from)
		if err != nil {
			return err
		}
		var card *cardReader
		for n := 0; ; {
			line, err := lines.read()
			switch {
			case errors.Is(err, io.EOF):
				if card != nil {
					return fmt.Errorf("the vCard %d has no END; the file is cut", n)
				}
				return nil
			case err != nil:
				return fmt.Errorf("line %d: %w", lines.at, err)
			case line.name == "BEGIN" && strings.EqualFold(line.value, "VCARD"):
				if card != nil {
					return fmt.Errorf("the vCard %d has no END; the next one begins in line %d", n, lines.at)
				}
				card, n = &cardReader{}, n+1
			case card == nil:
			case line.name == "END" && strings.EqualFold(line.value, "VCARD"):
				if err := use(card.done()); err != nil {
					return err
				}
				card = nil
			default:
				card.add(line)
			}
		}
	})
}

// A cardReader is a vCard that is being read.
type cardReader struct {
	row []cell
}

// put adds a value under the first free name of a kind: Phone (work), Phone (work) 2 and so on.
func (c *cardReader) put(kind, name, form, value string) {
	if value == "" {
		return
	}
	unique := name
	for n := 2; slices.ContainsFunc(c.row, func(one cell) bool { return one.name == unique }); n++ {
		unique = fmt.Sprint(name, " ", n)
	}
	c.row = append(c.row, cell{kind: kind, name: unique, form: form, value: value})
}

// lineTypes are what addresses and numbers are for, as columns name them.
var lineTypes = []string{"cell", "fax", "pager", "work", "home"}

func (c *cardReader) typed(kind, form string, line *contentLine, value string) {
	name := kind
	for _, one := range lineTypes {
		if line.is("TYPE", one) {
			if one == "cell" {
				one = "mobile"
			}
			name = kind + " (" + one + ")"
			break
		}
	}
	c.put(kind, name, form, value)
}

func (c *cardReader) add(line *contentLine) {
	switch line.name {
	case "FN":
		c.put("Name", "Name", textForm, whole(line.value))
	case "N":
		names := append(parts(line.value, ';'), "", "")
		c.put("Last name", "Last name", textForm, names[0])
		c.put("First name", "First name", textForm, names[1])
	case "NICKNAME":
		c.put("Nickname", "Nickname", textForm, whole(line.value))
	case "ORG":
		units := parts(line.value, ';')
		c.put("Organization", "Organization", textForm, units[0])
		c.put("Department", "Department", textForm, joined(units[1:], ", "))
	case "TITLE":
		c.put("Job title", "Job title", textForm, whole(line.value))
	case "EMAIL":
		c.typed("E-mail", textForm, line, strings.TrimPrefix(whole(line.value), "mailto:"))
	case "TEL":
		c.typed("Phone", "phone", line, strings.TrimPrefix(whole(line.value), "tel:"))
	case "ADR":
		c.typed("Address", textForm, line, addressOf(parts(line.value, ';')))
	case "URL":
		c.typed("URL", textForm, line, whole(line.value))
	case "BDAY":
		c.day("Birthday", whole(line.value))
	case "ANNIVERSARY":
		c.day("Anniversary", whole(line.value))
	case "NOTE":
		c.put("Note", "Note", "long_text", whole(line.value))
	case "CATEGORIES":
		names := slices.DeleteFunc(parts(line.value, ','), func(name string) bool { return name == "" })
		if len(names) > 0 && !slices.ContainsFunc(c.row, func(one cell) bool { return one.name == "Categories" }) {
			c.row = append(c.row, cell{kind: "Categories", name: "Categories", form: listForm, parts: names})
		}
	}
}

// day adds a day, which may have no year.
func (c *cardReader) day(name, value string) {
	date, _, _ := strings.Cut(value, "T")
	for _, layout := range []string{"20060102", time.DateOnly} {
		if day, err := time.Parse(layout, date); err == nil {
			c.put(name, name, dateForm, day.Format(time.DateOnly))
			return
		}
	}
	c.put(name, name, textForm, value)
}

// done is the row of the card. A card of an organization, or of a version that needs no name, gets one.
func (c *cardReader) done() []cell {
	value := func(name string) string {
		if at := slices.IndexFunc(c.row, func(one cell) bool { return one.name == name }); at >= 0 {
			return c.row[at].value
		}
		return ""
	}
	if value("Name") == "" {
		name := joined([]string{value("First name"), value("Last name")}, " ")
		if name == "" {
			name = value("Organization")
		}
		c.put("Name", "Name", textForm, name)
	}
	return c.row
}

// addressOf joins the parts of an address: post office box, extension, street, city, region, code, country.
func addressOf(of []string) string {
	for len(of) < 7 {
		of = append(of, "")
	}
	return joined([]string{of[0], of[1], of[2], joined([]string{of[5], of[3]}, " "), of[4], of[6]}, ", ")
}

// joined joins the texts that are not empty.
func joined(texts []string, with string) string {
	var filled []string
	for _, one := range texts {
		if one = strings.TrimSpace(one); one != "" {
			filled = append(filled, strings.ReplaceAll(one, "\n", ", "))
		}
	}
	return strings.Join(filled, with)
}
