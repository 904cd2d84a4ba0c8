package nocodb

import "encoding/json"

// A table is a table with its columns and views.
type table struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Columns []column `json:"columns"`
	Views   []view   `json:"views"`
}

// A column is a column of a table.
type column struct {
	ID          string  `json:"id"`
	Title       string  `json:"title"`
	Type        string  `json:"uidt"`
	Description string  `json:"description"`
	Key         flag    `json:"pk"`
	Display     flag    `json:"pv"`
	System      flag    `json:"system"`
	Meta        meta    `json:"meta"`
	Options     options `json:"colOptions"`
}

// options are those of columns of a type with some. Those of other types are zero.
type options struct {
	Options []struct {
		Title string `json:"title"`
		Color string `json:"color"`
	} `json:"options"`

	// Of links.
	Relation     string `json:"type"` // bt, hm, mm, oo
	RelatedTable string `json:"fk_related_model_id"`
	Child        string `json:"fk_child_column_id"`
	Parent       string `json:"fk_parent_column_id"`
	// Of many to many: the table of pairs, and its column with the key of the related row.
	Junction        string `json:"fk_mm_model_id"`
	JunctionRelated string `json:"fk_mm_parent_column_id"`

	// Of columns that compute.
	Link           string `json:"fk_relation_column_id"`
	LookupTarget   string `json:"fk_lookup_column_id"`
	RollupTarget   string `json:"fk_rollup_column_id"`
	RollupFunction string `json:"rollup_function"`
	Formula        string `json:"formula"`
	Error          string `json:"error"`
}

// A meta is what NocoDB keeps of a column for its display.
type meta struct {
	Precision  *int   `json:"precision"`
	Currency   string `json:"currency_code"`
	Max        int    `json:"max"`
	Duration   *int   `json:"duration"`
	DateFormat string `json:"date_format"`
	TimeFormat string `json:"time_format"`
	Is12Hours  flag   `json:"is12hrFormat"`
	Rich       flag   `json:"richMode"`
	Multiple   flag   `json:"is_multi"`
	BelongsTo  flag   `json:"bt"`
}

// UnmarshalJSON takes what is no object as nothing, and an object that is written in a text.
func (m *meta) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = []byte(text)
	}
	type plain meta
	var out plain
	if json.Unmarshal(raw, &out) == nil {
		*m = meta(out)
	}
	return nil
}

// A flag is true, 1, or another value that is not empty.
type flag bool

// UnmarshalJSON takes any value.
func (f *flag) UnmarshalJSON(raw []byte) error {
	switch string(raw) {
	case "null", "false", "0", `""`, `"0"`, `"false"`:
		*f = false
	default:
		*f = true
	}
	return nil
}

// A view is a view of a table.
type view struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Type  int    `json:"type"`
}

// viewTypes are the types of views by their numbers.
var viewTypes = map[int]string{1: "form", 2: "gallery", 3: "grid", 4: "kanban", 5: "map", 6: "calendar"}

// A file is an attachment in a cell.
type file struct {
	ID         string `json:"id"`
	Title      string `json:"title"`
	Size       int64  `json:"size"`
	URL        string `json:"url"`
	Path       string `json:"path"`
	SignedURL  string `json:"signedUrl"`
	SignedPath string `json:"signedPath"`
}

// A person is a person in a cell.
type person struct {
	ID    string `json:"id"`
	Email string `json:"email"`
	Name  string `json:"display_name"`
}
