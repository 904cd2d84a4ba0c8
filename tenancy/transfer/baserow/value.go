package baserow

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

func long(c *column) product.Config {
	if c.Rich {
		return product.Config{"format": "markdown"}
	}
	return product.Config{}
}

func digits(c *column) product.Config {
	out := product.Config{"precision": min(max(c.DecimalPlaces, 0), 8)}
	if symbol := strings.TrimSpace(c.Prefix + c.Suffix); symbol != "" && symbol != "%" && len(symbol) <= 16 {
		out["symbol"] = symbol
	}
	return out
}

// number is a number, which Baserow writes in a text so that it keeps its digits.
func number(raw json.RawMessage, _ product.People) (json.RawMessage, error) {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return raw, nil
	}
	if !json.Valid([]byte(text)) || jsonvalue.Kind(json.RawMessage(text)) != jsonvalue.Number {
		return nil, fmt.Errorf("%q is no number", text)
	}
	return json.RawMessage(text), nil
}

func stars(c *column) product.Config {
	out := product.Config{}
	if c.Max >= 1 && c.Max <= 10 {
		out["max"] = c.Max
	}
	if c.Style != "" {
		out["icon"] = product.Cut(c.Style, 64)
	}
	return out
}

// rating is none for no star.
func rating(raw json.RawMessage, _ product.People) (json.RawMessage, error) {
	if string(raw) == "0" {
		return json.RawMessage("null"), nil
	}
	return raw, nil
}

func duration(c *column) product.Config {
	switch c.Duration {
	case "h:mm", "h:mm:ss", "h:mm:ss.s", "h:mm:ss.ss", "h:mm:ss.sss":
		whole, part, has := strings.Cut(c.Duration, ".")
		if has {
			whole += "." + strings.ToUpper(part)
		}
		return product.Config{"format": whole}
	}
	return product.Config{}
}

func dates(c *column) product.Config {
	out := product.Config{}
	switch c.DateFormat {
	case "ISO":
		out["dateFormat"] = "iso"
	case "EU":
		out["dateFormat"] = "european"
	case "US":
		out["dateFormat"] = "us"
	}
	if c.Type == "date" && !c.IncludeTime {
		return out
	}
	switch c.TimeFormat {
	case "24", "12":
		out["timeFormat"] = c.TimeFormat + "h"
	}
	if zone := c.TimeZone; zone == "UTC" || strings.Contains(zone, "/") && field.CheckTimeZone(zone) == "" {
		out["timeZone"] = zone
	}
	return out
}

func choices(c *column) product.Config {
	all := make([]field.Option, len(c.Options))
	for i, one := range c.Options {
		all[i] = field.Option{Name: one.Value, Color: product.ColorOf(one.Color)}
	}
	return product.Config{"options": product.Choices(all)}
}

// A chosen is an option in a cell.
type chosen struct {
	Value string `json:"value"`
}

func option(raw json.RawMessage, _ product.People) (json.RawMessage, error) {
	var one chosen
	if err := json.Unmarshal(raw, &one); err != nil {
		return nil, fmt.Errorf("is no option, but %s", jsonvalue.Describe(raw))
	}
	return product.Written(one.Value), nil
}

func options(raw json.RawMessage, _ product.People) (json.RawMessage, error) {
	var all []chosen
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, fmt.Errorf("is no list of options, but %s", jsonvalue.Describe(raw))
	}
	values := make([]string, len(all))
	for i, one := range all {
		values[i] = one.Value
	}
	return jsonvalue.Must(values), nil
}

// names are the names of people as text.
func names(raw json.RawMessage, _ product.People) (json.RawMessage, error) {
	return product.Written(product.Text(raw)), nil
}

// readFormulas reads the formulas of a table, which name fields by their names.
func readFormulas(t *product.Table, columns []column) {
	ids := map[string]string{}
	for i := range t.Fields {
		ids[t.Fields[i].Name] = t.Fields[i].ID
	}
	for i := range columns {
		if columns[i].Type != "formula" {
			continue
		}
		if f := t.Field(fieldID(columns[i].ID)); f != nil {
			f.Formula = read(columns[i].Formula, ids)
		}
	}
}

// read reads a formula of Baserow. ids are those of fields by name; a field that is not among them is one that is not
// there.
func read(formula string, ids map[string]string) product.Formula {
	out := product.Formula{Source: formula}
	word := false
	for rest := formula; rest != ""; {
		if call, name, ok := fieldCall(rest); ok && !word {
			id := ids[name]
			if id == "" {
				id = name
			}
			out.Name(id)
			rest = rest[len(call):]
			continue
		}
		n := 1
		if rest[0] == '"' || rest[0] == '\'' {
			n = textEnd(rest)
		}
		out.Write(rest[:n])
		c := rest[n-1]
		word = c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		rest = rest[n:]
	}
	return out
}

// fieldCall finds field('Name') at the beginning of a formula.
func fieldCall(s string) (call, name string, ok bool) {
	rest, is := strings.CutPrefix(s, "field")
	if rest = strings.TrimLeft(rest, " "); !is || !strings.HasPrefix(rest, "(") {
		return "", "", false
	}
	rest = strings.TrimLeft(rest[1:], " ")
	if rest == "" || rest[0] != '\'' && rest[0] != '"' {
		return "", "", false
	}
	end := textEnd(rest)
	name = rest[1:max(1, end-1)]
	name = strings.NewReplacer(`\'`, "'", `\"`, `"`, `\\`, `\`).Replace(name)
	rest = strings.TrimLeft(rest[end:], " ")
	if !strings.HasPrefix(rest, ")") {
		return "", "", false
	}
	return s[:len(s)-len(rest)+1], name, true
}

// textEnd is where the text in quotes ends with which a formula begins.
func textEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		}
	}
	return len(s)
}
