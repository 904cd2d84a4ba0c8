package airtabletest

import "testing"

func TestShopHasAHundredFormulas(t *testing.T) {
	t.Parallel()
	if n := Shop(30, 3).count() - 1; n != 100 {
		t.Errorf("there are %d", n)
	}
}
