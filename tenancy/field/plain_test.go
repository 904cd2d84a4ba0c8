package field

import (
	"math/rand/v2"
	"testing"
)

// The ways of writing that most cells have are read without patterns. What is read is the same.
func TestPlainCellsAreReadAsAllOthers(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		cell := randomOf(random, "0123456789..", 1+random.IntN(8))
		for _, decimal := range []string{"", ".", ","} {
			asItIs := func(s string) (string, error) { return s, nil }
			plain, plainErr := writtenNumber(cell, decimal, asItIs)
			other, otherErr := writtenNumber(" "+cell, decimal, asItIs) // not plain
			if plain != other || (plainErr == nil) != (otherErr == nil) {
				t.Fatalf("%q with the sign %q: %q, %v and %q, %v", cell, decimal, plain, plainErr, other, otherErr)
			}
		}
		type seen struct {
			numbers            int
			point, comma, open bool
		}
		read := func(cell string) seen {
			c := &Column{cells: 1}
			c.addNumber(cell)
			return seen{c.numbers, c.point != "", c.comma != "", c.openNumber != ""}
		}
		if plain, other := read(cell), read("+"+cell); plain != other {
			t.Fatalf("a column sees %q as %+v, and otherwise as %+v", cell, plain, other)
		}
		moment := randomOf(random, "01", 1) + randomOf(random, "0123456789", 3) + "-" + randomOf(random, "01", 1) +
			randomOf(random, "0123456789", 1) + "-" + randomOf(random, "0123", 1) + randomOf(random, "0123456789", 1)
		if random.IntN(2) == 0 {
			moment += "T" + randomOf(random, "012", 1) + randomOf(random, "012345", 1) + ":" +
				randomOf(random, "0123456", 2) + ":" + randomOf(random, "0123456", 2) + "Z"
		}
		if clock, ok := plainTime(moment); ok {
			if written, err := readWrittenTime(moment, DayFirst, ""); err != nil || written.hasClock != clock {
				t.Fatalf("%q is %+v, %v", moment, written, err)
			}
		}
	}
}

func randomOf(random *rand.Rand, signs string, n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = signs[random.IntN(len(signs))]
	}
	return string(out)
}
