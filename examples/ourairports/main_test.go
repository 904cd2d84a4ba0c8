package main

import (
	"bytes"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/cmd/rowhouse/rowhousetest"
)

func TestMain(m *testing.M) { os.Exit(rowhousetest.Main(m)) }

func TestLoadAndQuery(t *testing.T) {
	t.Parallel()
	service := rowhousetest.Start(t)
	const email, password = "kari@example.com", "ferry to the far side"
	web := &http.Client{
		Timeout:       time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	signUp, err := web.PostForm(service.BaseURL+"/sign-up", url.Values{
		"name":         {"Kari"},
		"email":        {email},
		"password":     {password},
		"organization": {"House"},
	})
	if err != nil {
		t.Fatal(err)
	}
	signUp.Body.Close()
	if signUp.StatusCode != http.StatusSeeOther {
		t.Fatalf("signing up: %s", signUp.Status)
	}
	key := strings.TrimSpace(
		service.Run(t, "key", "create", "--email", email, "--scopes", "data:read,data:write,schema:read,schema:write"),
	)

	var out, said bytes.Buffer
	arguments := []string{
		"-data", "testdata", "-base-url", service.BaseURL, "-api-key", key, "-email", email, "-password", password,
	}
	if err := run(t.Context(), arguments, &out, &said); err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	answers, timing, _ := strings.Cut(out.String(), "\nTotal time")
	if answers != want {
		t.Errorf("got %s\nwant %s", answers, want)
	}
	if !strings.Contains(timing, "requests: median") {
		t.Errorf("the timing is missing: %s", timing)
	}
	for _, line := range []string{
		"Countries         3 of      3", "Regions           4 of      4", "Runways          18 of     18",
	} {
		if !strings.Contains(said.String(), line) {
			t.Errorf("the progress does not show %q: %s", line, said.String())
		}
	}

	// Once more without a password, into a base of its own: all but the link, through which the
	// search finds Norway.
	out.Reset()
	if err := run(t.Context(), arguments[:6], &out, &said); err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	linked, _, _ := strings.Cut(want, "\nThe first ten of")
	unlinked := strings.NewReplacer("  Countries: 1\n    Norway  NO\n", "  Countries: 0\n", "NO-03  Norway", "NO-03").
		Replace(linked)
	if !strings.HasPrefix(out.String(), unlinked) || !strings.Contains(said.String(), "link") {
		t.Errorf("without a password: %s %s", out.String(), said.String())
	}
}

const want = `
The ten longest of 16 lighted runways:
  T012 01     13000  ASP
  T010 01     11000  ASP
  T009 01/19  10000  ASP
  T008 01     9000   ASP
  T007 01/19  8000   ASP
  T006 01     7000   ASP
  T005 01/19  6000   ASP  closed
  T004 01     5000   ASP
  T003 01/19  4000   ASP
  T002 01     3000   ASP

2 VOR stations in Norway above 1,000 ft:
  Topp       TOP  VOR      3000
  Fjellvatn  FJL  VOR-DME  1200

Search for “Oslo”:
  Countries: 1
    Norway  NO
  Regions: 1
    Oslo  NO-03  Norway
  Navaids: 0
  Runways: 0
  Frequencies: 1
    T001  TWR  Oslo Tower  118.3

The first ten of 2 countries by their share of lighted runways:
  Sweden  2  1
  Norway  2  0.5

1 airport regions whose longest runway is under 800 m:
  EN  549

The first five of 2 runways by how far their ends are apart:
  ENBB 09/27  0.56  1800
  ENAA 01/19  0.5   1500

The first three of 5 navaids by the name of their country, Norway:
  Fjellvatn  VOR-DME  Norway
  Høyfjell   NDB      Norway
  Lavvik     VOR      Norway
`

func TestInvalidInputCreatesNothing(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		arguments []string
		want      string
	}{
		"no data":      {nil, "-data"},
		"no service":   {[]string{"-data", "testdata", "-dev", "nowhere.json"}, "make run"},
		"no key":       {[]string{"-data", "testdata", "-base-url", "http://127.0.0.1:1"}, "-api-key"},
		"another file": {[]string{"-data", ".", "-base-url", "http://127.0.0.1:1", "-api-key", "k"}, "countries.csv"},
		"an address that answers to nobody": {
			[]string{"-data", "testdata", "-base-url", "http://127.0.0.1:1", "-api-key", "k"}, "/bases",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, said bytes.Buffer
			err := run(t.Context(), test.arguments, &out, &said)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}
