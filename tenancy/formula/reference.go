package formula

import "strings"

// Stored is the stored form of the formula: with the ids of the fields in braces, so that renaming does
// not matter. White space and comments stay as they are.
func (f *Formula) Stored() string {
	return rewrite(f.text, f.root, func(n *node) string { return "{" + n.field.ID + "}" })
}

// Shown is a stored formula with the names of its fields, for people, including deleted ones. An
// unknown id stays as it is. A text that is no formula is returned unchanged.
func Shown(stored string, s *Scope) string {
	tree, err := Parse(stored)
	if err != nil {
		return stored
	}
	return rewrite(tree.text, tree.root, func(n *node) string {
		if field := s.field(n.text); field != nil && field.ID == n.text {
			return "{" + nameEscapes.Replace(field.Name) + "}"
		}
		if name, known := s.Gone[n.text]; known {
			return "{" + nameEscapes.Replace(name) + "}"
		}
		return "{" + nameEscapes.Replace(n.text) + "}"
	})
}

var nameEscapes = strings.NewReplacer(`\`, `\\`, `{`, `\{`, `}`, `\}`)

// rewrite replaces the references in a text.
func rewrite(text string, root *node, reference func(n *node) string) string {
	var found []*node
	root.each(func(n *node) {
		if n.kind == nodeField {
			found = append(found, n)
		}
	})
	var b strings.Builder
	at := 0
	for _, n := range found { // each visits the text from left to right
		b.WriteString(text[at:n.token.offset])
		b.WriteString(reference(n))
		at = n.token.offset + n.token.size
	}
	b.WriteString(text[at:])
	return b.String()
}
