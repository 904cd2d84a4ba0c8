package attack_test

import (
	"os"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/attack/attacktest"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestSmoke(t *testing.T) {
	attacks, err := attacktest.Corpus()
	if err != nil {
		t.Fatal(err)
	}
	t.Log(len(attacks))
	sealed := os.Getenv("SEALED") != ""
	{
		w, err := attacktest.New(t.Context(), tenancytest.AdminURL(t), sealed)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Drop(t.Context())
		before, err := w.State(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r, err := w.Run(t.Context(), attacktest.Request, attacks, attacktest.Options{Commit: sealed})
		if err != nil {
			t.Fatal(err)
		}
		after, _ := w.State(t.Context())
		t.Log(len(before), attacktest.Damage(before, after), r.Ran, r.Refused)
		for _, f := range r.Findings {
			t.Log(f)
		}
	}
}
