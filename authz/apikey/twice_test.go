package apikey

import (
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/id"
)

func TestAFormSentTwiceMakesOneKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	form := id.New()
	_, first := b.create(t, func(d *Draft) { d.ID = form })
	b.works(t, first)
	_, second := b.create(t, func(d *Draft) { d.ID = form })
	b.refused(t, first, "unknown")
	b.works(t, second)
	next := id.New()
	_, third, err := b.Rotate(t.Context(), Rotation{Person: b.person, Key: form, Next: next})
	if err != nil {
		t.Fatal(err)
	}
	_, fourth, err := b.Rotate(t.Context(), Rotation{Person: b.person, Key: form, Next: next})
	if err != nil {
		t.Fatal(err)
	}
	b.refused(t, third, "unknown")
	b.works(t, fourth)
	if keys, err := b.List(t.Context(), b.person); err != nil || len(keys) != 2 {
		t.Fatalf("%d keys, %v", len(keys), err)
	}
}
