package attachment

import (
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
)

// An organization sends two large files at once, and others can still send theirs.
func TestALargeUploadCountsAsSeveral(t *testing.T) {
	t.Parallel()
	g, org := newUploadLimiter(), uuid.New()
	first, err := g.enter(org, largeUpload)
	if err == nil {
		_, err = g.enter(org, largeUpload)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.enter(org, 1); problem.KindOf(err) != problem.KindRateLimited {
		t.Errorf("a third upload: %v", err)
	}
	if _, err := g.enter(uuid.New(), largeUpload); err != nil {
		t.Errorf("another organization: %v", err)
	}
	first()
	if _, err := g.enter(org, largeUpload); err != nil {
		t.Errorf("after one has ended: %v", err)
	}
}
