package naming_test

import (
	"errors"
	"testing"

	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"Plants", "a", "1", "#", "⌘", "Größe", "名前", "כותרת\u200F", "می\u200Cخواهم", "👩\u200D🌾", "❤\uFE0F", "e\u0301",
	} {
		if _, err := naming.Clean("name", name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	if clean, _ := naming.Clean("name", " e\u0301 "); clean != "\u00E9" {
		t.Errorf("%q is not composed", clean)
	}
	for _, name := range []string{
		"", " ", "\u00A0", "\u200B", "\u200B \u200D", "\uFEFF", "\u3164", "\u2800",
		"a\nb", "a\x00", "a\u202Eb", "\u202Da", "\xff",
	} {
		_, err := naming.Clean("name", name)
		var refused *problem.Error
		if !errors.As(err, &refused) {
			t.Errorf("%q is accepted as a name: %v", name, err)
		}
	}
}
