package field

import (
	"strings"
	"testing"
)

func TestNumbersOfStoredJSONBecomeShort(t *testing.T) {
	t.Parallel()
	zeros := strings.Repeat("0", 308)
	for _, c := range []struct{ stored, want string }{
		{`{"a": 1, "b": [1.50, -2]}`, `{"a": 1, "b": [1.50, -2]}`},
		{`[1` + zeros + `, "1` + zeros + `"]`, `[1e308, "1` + zeros + `"]`},
		{`{"x": -12` + zeros + `}`, `{"x": -12e308}`},
		{`0.` + zeros + `7`, `7e-309`},
		{`-0.` + zeros + `71`, `-71e-310`},
		{`1` + zeros + `.5`, `1` + zeros + `.5`},
		{`0.` + zeros, `0.` + zeros},
		{`{"` + packedKey + `": "[1e308,\"x\"]"}`, `[1e308,"x"]`},
		{`{"` + packedKey + `": "x", "bb": 1}`, `{"` + packedKey + `": "x", "bb": 1}`},
		{`{"` + packedKey + `": 5}`, `{"` + packedKey + `": 5}`},
	} {
		if got := string(appendJSON([]byte("+"), []byte(c.stored))); got != "+"+c.want {
			t.Errorf("%.60q becomes %.60q, not %.60q", c.stored, got[1:], c.want)
		}
	}
	for _, plain := range []string{
		`{"a": 1}`, `[1.50,"1e5",true,null]`, `"\ue000"`, `-0.5`, `123456789012345678901234567890`,
	} {
		if got := packJSON([]byte(plain)); got != plain {
			t.Errorf("%s is stored as %s", plain, got)
		}
	}
	for _, packed := range []string{
		`[1e308]`, `1E5`, `-0`, `{"\uE000": "x"}`, `{"` + packedKey + `":"x"}`, `1e-20000`,
	} {
		if got := packJSON([]byte(packed)); !strings.HasPrefix(got, string(packedHead)) {
			t.Errorf("%s is stored as %s", packed, got)
		}
	}
}
