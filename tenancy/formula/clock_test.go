package formula_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/formula"
)

// A format that to_char writes gives what formula_write gives, which a format that is computed always takes.
func TestFormatsOfDatesAreThoseOfTheSlowerFunction(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	pieces := strings.Split("YYYY,YY,Y,YYYYY,MMMM,MMM,MM,M,Mo,DDDD,DDD,DD,D,Do,dddd,ddd,dd,d,HH,H,hh,h,k,mm,m,ss,s,"+
		"S,SSS,A,a,Q,W,ww,GGGG,Z,X,L,LT,-,/, ,:,.,T,[],[Day],[D],\\Y,é,[é],_,%,(,),0,12,'", ",")
	dates := []string{
		`"2026-03-05 09:07:03"`, `"1999-12-31 00:00"`, `"0001-01-01"`, `"9999-12-31 23:59:59"`, `"2024-02-29 12:00"`,
		`"2026-11-01 13:45:59.999"`,
	}
	var quick, slow []*formula.Formula
	fast := 0
	for i := range 1200 {
		var format strings.Builder
		for range 1 + random.IntN(5) {
			format.WriteString(pieces[random.IntN(len(pieces))])
		}
		date, text := dates[i%len(dates)], `"`+format.String()+`"`
		for list, written := range map[*[]*formula.Formula]string{&quick: text, &slow: text + ` & ""`} {
			f, err := compile("DATETIME_FORMAT(SET_TIMEZONE("+date+`, "Europe/Oslo"), `+written+")", "UTC")
			if err != nil {
				t.Fatalf("%s: %v", written, err)
			}
			*list = append(*list, f)
		}
		if strings.Contains(quick[i].SQL(), "formula_clock") {
			fast++
		}
	}
	if fast < 200 || fast > 1000 {
		t.Errorf("%d of %d formats are fast", fast, len(quick))
	}
	want := evaluate(t, "full", slow)
	for i, got := range evaluate(t, "full", quick) {
		if got != want[i] {
			t.Errorf("%s = %q, want %q", quick[i].SQL(), got, want[i])
		}
	}
}
