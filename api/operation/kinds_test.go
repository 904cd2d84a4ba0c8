package operation

import (
	"os"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/history/feed"
)

func TestKindsAreThoseOfTheFeed(t *testing.T) {
	t.Parallel()
	docs, err := os.ReadFile("../../docs/how-to/receive-webhooks.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range []*Operation{CreateWebhook, UpdateWebhook, ListChanges} {
		if got := op.Input().Properties["kinds"].MaxItems; got == nil || *got != len(feed.Kinds()) {
			t.Errorf("%s does not take all kinds at once", op.Name)
		}
	}
	for _, kind := range feed.Kinds() {
		if !strings.Contains(CreateWebhook.Input().Properties["kinds"].Description, kind.Name()) ||
			!strings.Contains(string(docs), "`"+kind.Name()+"`") {
			t.Errorf("the kind %s is not named", kind.Name())
		}
	}
}
