package record

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Bounds of one value.
const (
	maxText     = 100_000   // characters
	maxLongText = 1_000_000 // characters
	maxChoices  = 500       // entries of a multi select, user or link value
	maxJSON     = 1_000_000 // bytes
)

const (
	dateLayout   = "2006-01-02"
	readOnlyText = "is written by the service and cannot be set"
)

// A decoder turns the JSON of one value into what its column stores: nil, string (text, choice and JSON), float64, bool,
// time.Time (date and moment), []string, or []uuid.UUID (user and link). An error's text says what is wrong with the value, not where it is.
type decoder struct {
	field     *schema.Field
	typecast  bool
	isDefault bool // of a field, whose configuration knows no typecast
	// missing is told the names that typecast found no option for; the caller adds the options, or says why there can be none. Nil refuses them.
	missing func(f *schema.Field, name string) error
}

// decode reads a value; raw is one well-formed JSON value without space around it.
func (d *decoder) decode(raw []byte) (any, error) {
	info := d.field.Type.Info()
	if info.ReadOnly {
		return nil, fmt.Errorf("%s", readOnlyText)
	}
	if info.Shape == schema.ShapeNone {
		return nil, fmt.Errorf("holds no value")
	}
	if kind(raw) == '0' || string(raw) == `""` {
		if info.Shape == schema.ShapeBool {
			return false, nil
		}
		return nil, nil
	}
	switch info.Shape { //nolint:exhaustive // the rest holds no value
	case schema.ShapeText:
		return d.text(raw)
	case schema.ShapeNumber:
		return d.number(raw)
	case schema.ShapeBool:
		return d.boolean(raw)
	case schema.ShapeDate:
		return d.date(raw)
	case schema.ShapeMoment:
		return d.moment(raw)
	case schema.ShapeChoice:
		return d.choice(raw)
	case schema.ShapeChoices:
		return d.choices(raw)
	case schema.ShapeUser:
		return d.users(raw)
	case schema.ShapeLink:
		return nil, fmt.Errorf("is a link") // links are read by decodeLink, which knows the linked table
	case schema.ShapeJSON:
		return jsonText(raw)
	case schema.ShapeAttachment:
		return nil, fmt.Errorf("is an attachment") // files are read by decodeFiles, and known to the database
	}
	return nil, fmt.Errorf("holds no value")
}

func (d *decoder) wrong(raw []byte, want string) error {
	hint := ""
	if kind(raw) == 's' && !d.typecast && !d.isDefault {
		hint = "; send typecast: true to convert it"
	}
	return fmt.Errorf("must be %s, not %s%s", want, kindName(raw), hint)
}

func (d *decoder) text(raw []byte) (any, error) {
	var s string
	switch k := kind(raw); {
	case k == 's':
		decoded, err := unquote(raw)
		if err != nil {
			return nil, err
		}
		s = decoded
	case d.typecast && k != '0':
		s = string(raw)
		if strings.Contains(s, `\u0000`) {
			return nil, errNUL
		}
	default:
		return nil, fmt.Errorf("must be a string, not %s%s", kindName(raw), d.castHint())
	}
	most := maxText
	if d.field.Type == schema.LongText {
		most = maxLongText
	}
	if len(s) > most && utf8.RuneCountInString(s) > most {
		return nil, fmt.Errorf("must be at most %d characters long", most)
	}
	switch d.field.Type { //nolint:exhaustive // the types with a form of their own
	case schema.Email:
		if d.typecast {
			s = strings.TrimSpace(s)
		}
		if !looksLikeEmail(s) {
			return nil, fmt.Errorf("%s is not an e-mail address", quoted(s))
		}
	case schema.URL:
		if d.typecast {
			s = strings.TrimSpace(s)
		}
		if !looksLikeURL(s) {
			return nil, fmt.Errorf("%s is not a URL; it begins with a scheme, as in https://example.com", quoted(s))
		}
	}
	if s == "" {
		return nil, nil
	}
	return s, nil
}

func (d *decoder) castHint() string {
	if d.typecast || d.isDefault {
		return ""
	}
	return "; send typecast: true to convert it"
}

func looksLikeEmail(s string) bool {
	local, domain, ok := strings.Cut(s, "@")
	return ok && local != "" && domain != "" && len(s) <= 320 && !strings.ContainsAny(s, " \t\r\n,;<>") && !strings.Contains(domain, "@")
}

func looksLikeURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme != "" && (u.Host != "" || u.Opaque != "") && !strings.ContainsAny(s, " \t\r\n<>\"")
}

// quoted writes a value into a message, cut to a length that can be read.
func quoted(s string) string {
	if utf8.RuneCountInString(s) > 60 {
		s = string([]rune(s)[:57]) + "…"
	}
	return strconv.Quote(s)
}

func (d *decoder) number(raw []byte) (any, error) {
	digits := string(raw)
	if kind(raw) == 's' && d.typecast {
		decoded, err := unquote(raw)
		if err != nil {
			return nil, err
		}
		if digits, err = writtenNumber(decoded, d.field); err != nil {
			return nil, err
		}
		if digits == "" {
			return nil, nil
		}
	} else if kind(raw) != 'n' {
		return nil, d.wrong(raw, "a number")
	}
	x, err := parseNumber(digits)
	if err != nil {
		return nil, err
	}
	switch d.field.Type { //nolint:exhaustive // the types with bounds of their own
	case schema.Rating:
		most := d.field.Config.Max
		if most == 0 {
			most = 5
		}
		if x != math.Trunc(x) || x < 1 || x > float64(most) {
			return nil, fmt.Errorf("must be a whole number from 1 to %d", most)
		}
	case schema.Duration:
		if x < 0 {
			return nil, fmt.Errorf("must be a number of seconds, 0 or more")
		}
	}
	return x, nil
}

func (d *decoder) boolean(raw []byte) (any, error) {
	switch kind(raw) {
	case 'b':
		return raw[0] == 't', nil
	case 's', 'n':
		if d.typecast {
			switch strings.ToLower(strings.Trim(string(raw), `" `)) {
			case "true", "t", "yes", "y", "1", "on", "checked":
				return true, nil
			case "false", "f", "no", "n", "0", "off", "unchecked":
				return false, nil
			}
			return nil, fmt.Errorf("%s is neither true nor false", quoted(string(raw)))
		}
	}
	return nil, d.wrong(raw, "true or false")
}

// severalUsers reports whether a user field holds more than one.
func severalUsers(f *schema.Field) bool {
	return f.Type == schema.User && f.Config.Multiple != nil && *f.Config.Multiple
}

func (d *decoder) users(raw []byte) (any, error) {
	var names []string
	if kind(raw) == 's' {
		s, err := unquote(raw)
		if err != nil {
			return nil, err
		}
		names = []string{s}
	} else {
		var err error
		if names, err = d.list(raw, "user ids"); err != nil {
			return nil, err
		}
	}
	people := make([]uuid.UUID, 0, len(names))
	for _, name := range names {
		person, err := id.Parse(id.User, name)
		if err != nil {
			return nil, fmt.Errorf("%s is not a user id; it is usr_ and 26 characters", quoted(name))
		}
		if !slices.Contains(people, person) {
			people = append(people, person)
		}
	}
	if len(people) > 1 && !severalUsers(d.field) {
		return nil, fmt.Errorf("holds one user, not %d", len(people))
	}
	if len(people) == 0 {
		return nil, nil
	}
	return people, nil
}

// decodeLink reads the rows of the linked table that raw names. Whether they are there, the database says.
func (d *decoder) decodeLink(raw []byte, linked *schema.Table) ([]uuid.UUID, error) {
	var names []string
	switch {
	case kind(raw) == '0' || string(raw) == `""`:
		return []uuid.UUID{}, nil // not nil, which would be no array in SQL
	case kind(raw) == 's':
		s, err := unquote(raw)
		if err != nil {
			return nil, err
		}
		names = []string{s}
	default:
		var err error
		if names, err = d.list(raw, "record ids"); err != nil {
			return nil, err
		}
	}
	rows := make([]uuid.UUID, 0, len(names))
	for _, name := range names {
		number, row, err := id.ParseRecord(name)
		if err != nil || linked == nil || number != linked.Number {
			return nil, noSuchLink(name, linked)
		}
		if !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	if len(rows) > 1 && single(d.field) {
		return nil, fmt.Errorf("holds one record, not %d", len(rows))
	}
	return rows, nil
}

func noSuchLink(name string, linked *schema.Table) error {
	table := "the linked table"
	if linked != nil {
		table = strconv.Quote(linked.Name)
	}
	return fmt.Errorf("%s is not the id of a record in %s", quoted(name), table)
}

// jsonText checks what PostgreSQL's jsonb would refuse.
func jsonText(raw []byte) (any, error) {
	if len(raw) > maxJSON {
		return nil, fmt.Errorf("must be at most %d bytes of JSON", maxJSON)
	}
	if err := storable(raw); err != nil {
		return nil, err
	}
	return packJSON(raw), nil
}

func storable(raw []byte) error {
	var problem error
	switch kind(raw) {
	case 's':
		_, problem = unquote(raw)
	case 'n':
		if _, err := strconv.ParseFloat(string(raw), 64); err != nil {
			problem = fmt.Errorf("holds the number %s, which is too large", quoted(string(raw)))
		}
	case 'a':
		elements(raw, func(_ int, value []byte) bool {
			problem = storable(value)
			return problem == nil
		})
	case 'o':
		err := members(raw, func(_ string, value []byte) bool {
			problem = storable(value)
			return problem == nil
		})
		if problem == nil {
			problem = err
		}
	}
	return problem
}

// fieldDefault decodes a field's configured default; nil when there is none or it no longer fits the field.
func fieldDefault(f *schema.Field) any {
	raw := trim(f.Config.Default)
	if len(raw) == 0 || len(raw) > schema.MaxDefault {
		return nil
	}
	value, err := decodeDefault(f, raw)
	if err != nil {
		return nil
	}
	return value
}

func decodeDefault(f *schema.Field, raw []byte) (any, error) {
	if err := valid(raw); err != nil {
		return nil, err
	}
	if f.Type == schema.Attachment {
		return nil, fmt.Errorf("is not possible: a field of type attachment has no default")
	}
	return (&decoder{field: f, isDefault: true}).decode(raw)
}

// readDefault is the schema.DefaultReader.
func readDefault(f *schema.Field) (people []uuid.UUID, empty bool, err error) {
	value, err := decodeDefault(f, trim(f.Config.Default))
	if err != nil {
		return nil, false, err
	}
	people, _ = value.([]uuid.UUID)
	return people, value == nil, nil
}
