package record_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// What random values are made of: few, so that they meet.
var (
	texts = []string{
		"a", "A", "ä", "b", "B", "abc", "ABC", "zebra", "Zebra", "10", "9", "1.5", "1,500", "-3", "2024-02-29",
		"2024/03/01", "true", "No", "100%", "a_b", `a\b`, "O'Hara", `say "x"`, "İstanbul", "ΣΊΣΥΦΟΣ", "σίσυφος",
		"straße", "STRASSE", "日本", "😀", "a b", " lead", "trail ", "line\nbreak", "x,y", "NULL", "{a}", "<b>", "é", "é",
		"1e3", "Infinity", "item 2", "item 10", "item 02", "open", "2024-01-31T05:00:00Z",
	}
	optionNames = []string{"Open", "Shut", "Late", "ä b", "9", "true"}
	numbers     = []float64{
		0, 1, -1, 2, 2.5, -3, 9, 10, 100, 0.1, 1e-7, 0.00001, 1e15, 1e21, -1e21, 123456789.125, 1500,
	}
	dates = []string{
		"0001-01-01", "2023-12-31", "2024-01-30", "2024-01-31", "2024-02-01", "2024-02-29", "2024-03-01", "2024-12-31",
		"9999-12-31",
	}
	moments = []string{
		"2024-01-31T04:59:59Z", "2024-01-31T05:00:00Z", "2024-01-31T23:59:59.999999Z", "2024-02-01T00:00:00Z",
		"2024-02-01T05:00:00.5Z", "2024-02-29T12:00:00Z", "2024-03-10T06:59:59Z", "2024-03-10T07:00:00Z",
		"2024-12-31T23:00:00Z",
	}
	// queries are parts of what values look like.
	queries = []string{
		"a", "A", "b", "Σ", "ς", "i", "İ", "ss", "ß", "%", "_", `\`, "1", "10", "e", "2024", "02-29", "05:00", "Z",
		".5", "true", "open", "person", "@example", "日", " ", "x,", "line\n",
	}
	kinds = []schema.Type{
		schema.Text, schema.LongText, schema.Phone, schema.Number, schema.Percent, schema.Checkbox, schema.Date,
		schema.DateTime, schema.SingleSelect,
		schema.MultiSelect, schema.User, schema.AutoNumber,
	}
)

// A moment is a point in time, in microseconds.
type moment struct{ time.Time }

func parseMoment(s string) moment {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err) // one of moments
	}
	return moment{t.UTC()}
}

// String is a moment as the API writes it.
func (m moment) String() string {
	s := m.UTC().Format("2006-01-02T15:04:05.000000")
	return strings.TrimSuffix(s, "000") + "Z"
}

// numberJSON writes a number as ECMAScript does.
func numberJSON(x float64) []byte {
	switch abs := math.Abs(x); {
	case x == 0:
		return []byte("0")
	case abs < 1e-6, abs >= 1e21:
		return fmt.Appendf(nil, "%s", strings.Replace(fmt.Sprintf("%g", x), "e+021", "e+21", 1))
	}
	return fmt.Appendf(nil, "%s", strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.10f", x), "0"), "."))
}

func (w *world) freeName(m *modelTable) string {
	w.named++
	return fmt.Sprintf("Field %d", w.named)
}

// drawField makes up a field without making it.
func (w *world) drawField(rt *rapid.T, m *modelTable) (*modelField, catalog.FieldSpec) {
	f := &modelField{table: m, name: w.freeName(m), kind: rapid.SampledFrom(kinds).Draw(rt, "type")}
	config := map[string]any{}
	switch f.kind { // those with a config here
	case schema.SingleSelect, schema.MultiSelect:
		n := rapid.IntRange(1, len(optionNames)).Draw(rt, "options")
		f.options = append(f.options, optionNames[:n]...)
		config["options"] = f.options
	case schema.DateTime:
		if rapid.Bool().Draw(rt, "zoned") {
			f.zone = "America/New_York"
			config["timeZone"] = f.zone
		}
	case schema.User:
		if f.several = rapid.Bool().Draw(rt, "several"); f.several {
			config["multiple"] = true
		}
	}
	return f, catalog.FieldSpec{Name: f.name, Type: f.kind, Config: marshal(config)}
}

func marshal(value any) json.RawMessage {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err) // maps, lists and texts
	}
	return raw
}

// drawObject makes up the fields of a record to write: the JSON, and what the model makes of it.
func (w *world) drawObject(rt *rapid.T, m *modelTable) (object map[string]any, values map[*modelField]any) {
	object, values = map[string]any{}, map[*modelField]any{}
	for _, f := range m.fields {
		if f.kind.Info().ReadOnly || rapid.IntRange(0, 3).Draw(rt, "given") == 0 {
			continue
		}
		object[f.name], values[f] = w.drawValue(rt, f)
	}
	return object, values
}

// drawValue makes up a value of a field, as JSON and as the model holds it. A link's is the rows
// that it links to.
func (w *world) drawValue(rt *rapid.T, f *modelField) (written, stored any) {
	if rapid.IntRange(0, 5).Draw(rt, "empty") == 0 {
		if f.pairs != nil {
			return nil, []*modelRow{}
		}
		if f.kind == schema.Checkbox {
			return nil, false
		}
		return rapid.SampledFrom([]any{nil, ""}).Draw(rt, "nothing"), nil
	}
	switch f.shape() { // those of kinds
	case shapeText:
		s := rapid.SampledFrom(texts).Draw(rt, "text")
		return s, s
	case shapeNumber:
		x := rapid.SampledFrom(numbers).Draw(rt, "number")
		return json.RawMessage(numberJSON(x)), x
	case shapeBoolean:
		b := rapid.Bool().Draw(rt, "bool")
		return b, b
	case shapeDate:
		d := rapid.SampledFrom(dates).Draw(rt, "date")
		return d, d
	case shapeTimestamp:
		s := rapid.SampledFrom(moments).Draw(rt, "moment")
		return s, parseMoment(s)
	case shapeChoice:
		if len(f.options) == 0 {
			return nil, nil
		}
		s := rapid.SampledFrom(f.options).Draw(rt, "option")
		return s, s
	case shapeChoices:
		if len(f.options) == 0 {
			return nil, nil
		}
		s := rapid.SliceOfNDistinct(rapid.SampledFrom(f.options), 1, min(3, len(f.options)), rapid.ID).
			Draw(rt, "options")
		return s, s
	case shapeUser:
		return []string{w.me}, []string{w.me}
	case shapeLink:
		rows := f.other().table.rows
		if len(rows) == 0 {
			return nil, []*modelRow{}
		}
		linked := rapid.SliceOfNDistinct(rapid.SampledFrom(rows), 1, min(3, len(rows)), rapid.ID).Draw(rt, "linked")
		ids := make([]string, len(linked))
		for i, r := range linked {
			ids[i] = r.id
		}
		return ids, linked
	}
	return nil, nil
}

// drawOperand makes up the value of a comparison of a field.
func (w *world) drawOperand(rt *rapid.T, f *modelField) any {
	switch f.shape() { // those of kinds
	case shapeText:
		return rapid.SampledFrom(texts).Draw(rt, "text")
	case shapeNumber:
		return rapid.SampledFrom(numbers).Draw(rt, "number")
	case shapeBoolean:
		return rapid.Bool().Draw(rt, "bool")
	case shapeDate:
		return rapid.SampledFrom(dates).Draw(rt, "date")
	case shapeTimestamp:
		if rapid.Bool().Draw(rt, "day") {
			return rapid.SampledFrom(dates[1:8]).Draw(rt, "date")
		}
		return parseMoment(rapid.SampledFrom(moments).Draw(rt, "moment"))
	case shapeChoice, shapeChoices:
		if len(f.options) == 0 {
			rt.Skip("no options")
		}
		return rapid.SampledFrom(f.options).Draw(rt, "option")
	case shapeUser:
		return rapid.SampledFrom([]string{w.me, id.Format(id.User, id.New())}).Draw(rt, "user")
	case shapeLink:
		rows := f.other().table.rows
		if len(rows) == 0 {
			rt.Skip("nothing to link to")
		}
		return rapid.SampledFrom(rows).Draw(rt, "linked").id
	}
	return nil
}
