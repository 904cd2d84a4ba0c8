package id_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/rowhouse/rowhouse/internal/id"
)

func TestIdentifierRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var u uuid.UUID
		copy(u[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "uuid"))
		got, err := id.Parse(id.Table, id.Format(id.Table, u))
		if err != nil || got != u {
			t.Fatalf("got %v, %v; want %v", got, err, u)
		}
		number := rapid.Int32Range(1, 1<<31-1).Draw(t, "number")
		n, row, err := id.ParseRecord(id.FormatRecord(number, u))
		if err != nil || n != number || row != u {
			t.Fatalf("got %d %v, %v; want %d %v", n, row, err, number, u)
		}
	})
}

func TestParseAcceptsOnlyTheCanonicalForm(t *testing.T) {
	t.Parallel()
	good := id.Format(id.Base, id.New())
	for name, s := range map[string]string{
		"upper case":     strings.ToUpper(good),
		"other kind":     "tbl_" + good[4:],
		"short":          good[:len(good)-1],
		"long":           good + "0",
		"trailing bits":  good[:len(good)-1] + "z",
		"no prefix":      good[4:],
		"empty":          "",
		"not the set":    good[:len(good)-1] + "u",
		"line break":     good[:10] + "\n" + good[11:],
		"record instead": id.FormatRecord(7, id.New()),
	} {
		if _, err := id.Parse(id.Base, s); !errors.Is(err, id.ErrMalformed) {
			t.Errorf("%s: %q was read: %v", name, s, err)
		}
	}
	if _, _, err := id.ParseRecord(good); !errors.Is(err, id.ErrMalformed) {
		t.Errorf("a base id was read as a record id: %v", err)
	}
}
