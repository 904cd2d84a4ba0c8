package operation

import (
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/history"
)

// A microsecond that ends in zero has the same text in both lists.
func TestShortTime(t *testing.T) {
	t.Parallel()
	moment := time.Date(2026, 11, 29, 2, 1, 37, 896_360_000, time.UTC)
	set := &ChangeSet{LastTime: moment}
	entry := history.Entry{Version: moment.UnixMicro()}
	if short := set.short().Time; `"`+short+`"` != string(entry.Time()) {
		t.Errorf("the change set has the time %s, its entry %s", short, entry.Time())
	}
}
