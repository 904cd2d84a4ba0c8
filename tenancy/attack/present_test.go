package attack_test

import (
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/attack/attacktest"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// The doors before they were sealed leak by known ways, which the corpus must find.
func TestCorpusFindsLeaksOfUnsealedDoors(t *testing.T) {
	w, err := attacktest.New(t.Context(), tenancytest.AdminURL(t), false)
	if err != nil {
		t.Fatal(err)
	}
	drop(t, w)
	report, err := w.Run(t.Context(), attacktest.Request, corpus(t), attacktest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, finding := range report.Findings {
		found[finding.Attack] = true
		t.Log(finding)
	}
	t.Logf("%d attacks, %d findings", report.Ran, len(report.Findings))
	for _, known := range []string{
		"01_role: take the role (set role {role}) (rowhouse_owner)",
		"01_role: read with a role taken before ({victim_table}) (rowhouse_search)",
		"01_role: read with a role taken before (rowhouse.person) (rowhouse_system)",
		"02_setting: name the victim in the same select list ({victim_table})",
		"05_plan: explain a scan (explain) ({victim_table})",
		"06_catalogue: an estimate (reltuples)",
	} {
		if !found[known] {
			t.Errorf("%q finds nothing", known)
		}
	}
}
