package apikey

import (
	"testing"

	"github.com/rowhouse/rowhouse/internal/id"
)

func TestRepeatedCreateAndRotateReturnTheSameKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	form := id.New()
	_, first := b.create(t, func(d *Draft) { d.ID = form })
	b.accepts(t, first)
	_, second := b.create(t, func(d *Draft) { d.ID = form })
	b.rejects(t, first, "unknown")
	b.accepts(t, second)
	next := id.New()
	_, third, err := b.Rotate(t.Context(), Rotation{Person: b.person, Key: form, Next: next})
	if err != nil {
		t.Fatal(err)
	}
	_, fourth, err := b.Rotate(t.Context(), Rotation{Person: b.person, Key: form, Next: next})
	if err != nil {
		t.Fatal(err)
	}
	b.rejects(t, third, "unknown")
	b.accepts(t, fourth)
	if keys, err := b.List(t.Context(), b.person); err != nil || len(keys) != 2 {
		t.Fatalf("%d keys, %v", len(keys), err)
	}
}
