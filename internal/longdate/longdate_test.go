package longdate_test

import (
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/internal/longdate"
)

func TestDaysAreWrittenAsTheLanguageHasThem(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		day            time.Time
		german, french string
	}{
		{time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC), "1. Januar", "1er janvier"},
		{time.Date(2026, time.August, 2, 0, 0, 0, 0, time.UTC), "2. August", "2 août"},
		{time.Date(2026, time.December, 31, 0, 0, 0, 0, time.UTC), "31. Dezember", "31 décembre"},
	} {
		if german, french := longdate.German(one.day), longdate.French(one.day); german != one.german ||
			french != one.french {
			t.Errorf("%s is %q and %q", one.day, german, french)
		}
	}
}
