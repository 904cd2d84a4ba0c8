package field

import "strings"

// Names are the names of the ids in values. An unknown id gets a name that says so.
type Names interface {
	Person(id string) string
	Record(id string) string
}

// A Shown is a value as a reader sees it: text, labels or files.
type Shown struct {
	Text   string
	Labels []Label
	Files  []ShownFile
	Link   string // the address of the text, when it is one

	AlignRight bool
	KeepBreaks bool // line breaks are kept
	Markdown   bool // Text is formatted (GFM)
	NoWrap     bool // never broken: dates and stars
}

// A Label is a name in a box.
type Label struct {
	Text   string
	Option int // the position of the option in the field's config; -1 for other labels
}

// A ShownFile is a file with the paths of its content and of its thumbnail.
type ShownFile struct{ Name, Address, Thumbnail string }

// Plain is the value as one text: a name, or a cell of a file of comma-separated values.
func (s *Shown) Plain() string {
	parts := make([]string, 0, 1+len(s.Labels)+len(s.Files))
	if s.Text != "" {
		parts = append(parts, s.Text)
	}
	for _, label := range s.Labels {
		parts = append(parts, label.Text)
	}
	for _, file := range s.Files {
		parts = append(parts, file.Name)
	}
	return strings.Join(parts, ", ")
}
