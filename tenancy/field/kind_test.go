package field

import (
	"slices"
	"strings"
	"testing"
)

// What a kind says of itself in one place fits what it says in another.
func TestEveryKindHoldsTogether(t *testing.T) {
	t.Parallel()
	for _, k := range All() {
		info := k.Info()
		f := &Field{Kind: k, Number: 7, Name: "F", Pairs: &Pairs{Relation: "l", Own: "a", Other: "b", Linked: 1}}
		if info.Computed {
			f.Computed = &Computed{SQL: "c", Value: "c", Failure: "e", Kept: true}
		}
		stored := 0
		for _, is := range []bool{info.Column != "", info.System != "", info.Paired, info.Computed} {
			if is {
				stored++
			}
		}
		switch {
		case info.HasValues() != (stored == 1):
			t.Errorf("%s has values in %d places", info.Type, stored)
		case info.HasValues() != (k.Encoder(f, nil) != nil), info.HasValues() != (k.Select(f) != ""):
			t.Errorf("%s is not read as it is stored", info.Type)
		case info.Unlisted: // it only sorts
		case info.HasValues() != (len(k.Operators()) > 0), info.HasValues() != (FindAggregate(k, "count") != nil):
			t.Errorf("%s has values that cannot be filtered or counted", info.Type)
		case info.System != "" && !info.ReadOnly:
			t.Errorf("%s would be written into the record's own column", info.Type)
		case info.NeverNull && info.Unset == nil && !info.ReadOnly:
			t.Errorf("%s is never null and has nothing for no value", info.Type)
		case info.UpsertKey && f.Order("") == "":
			t.Errorf("records are matched on %s, which has no order", info.Type)
		case info.SystemCode == "" && info.System != "" && f.CanIndex():
			t.Errorf("an index on %s has no name", info.Type)
		}
		if f.Order("") != "" {
			if _, ok := k.SortKey([]byte("??")); ok && !info.Collated {
				t.Errorf("%s sorts by anything", info.Type)
			}
		}
		seen := map[Op]bool{}
		for _, o := range k.Operators() {
			if seen[o.Op] || o.SQL == nil || o.Operand == nil || (o.Read == nil) != (o.Operand.Schema == "") {
				t.Errorf("%s has %s twice, or half", info.Type, o.Op)
			}
			seen[o.Op] = true
		}
		for _, a := range k.Aggregates() {
			if !slices.Contains(AggregateNames, a.Name) {
				t.Errorf("%s has the function %s, which nobody can ask for", info.Type, a.Name)
			}
		}
	}
}

func TestATypeOfALaterVersionIsShownWithoutValues(t *testing.T) {
	t.Parallel()
	f := &Field{Kind: Of("hologram", &Config{}), Number: 7, Name: "F"}
	if f.Type() != "hologram" || f.Column() != "" || f.Kind.Encoder(f, nil) != nil || len(f.Kind.Operators()) > 0 {
		t.Errorf("it is %+v", f.Info())
	}
	if _, err := (&Input{Field: f}).Decode([]byte(`"x"`)); err == nil ||
		!strings.Contains(err.Error(), "cannot be set") {
		t.Errorf("it is written: %v", err)
	}
	if _, err := Parse("type", "hologram"); err == nil || !strings.Contains(err.Error(), "is not a field type") {
		t.Errorf("it is made: %v", err)
	}
}

func TestAKindIsRegisteredOnce(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("a second kind of text was taken")
		}
	}()
	Register(Type("text").Kind())
}
