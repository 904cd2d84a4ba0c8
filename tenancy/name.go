package tenancy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxName is the longest name of any noun, in characters.
const MaxName = 255

// CleanName returns a name with the space around it cut off. It refuses, naming path, a name that is empty, longer than
// MaxName, or holds control characters.
func CleanName(path, name string) (string, error) {
	name = strings.TrimSpace(name)
	switch {
	case name == "":
		return "", Invalid(path, "must not be empty")
	case !utf8.ValidString(name):
		return "", Invalid(path, "must be valid UTF-8")
	case utf8.RuneCountInString(name) > MaxName:
		return "", Invalid(path, "must be at most %d characters long", MaxName)
	case strings.ContainsFunc(name, unicode.IsControl):
		return "", Invalid(path, "must not contain control characters")
	}
	return name, nil
}
