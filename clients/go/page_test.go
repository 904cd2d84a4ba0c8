package rowhouse

import (
	"bytes"
	"encoding/json"
	"testing"
)

// Records that are cut out of a page are what decoding it gives.
func FuzzPage(f *testing.F) {
	for _, page := range []string{
		`{"records":[],"total":0,"hasMore":false}`,
		`{"records":[{"id":"1","fields":{"a\\":"}\"{","b":[{"c":1}]}},{"id":"\\\\"}],"hasMore":true,"cursor":"c-1_"}`,
		`{"records":[{}]}`, `{"records":[{}],"Records":[]}`, `{"records":[{},]}`,
		`{"records":[{"a":"]}`, `{"total":1,"records":[]}`, `{"records":[1]}`,
		`{"records":[{"a":"\\"}],"total":"x"}`, `{"records":[{}}]`,
	} {
		f.Add([]byte(page))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var want, got Page[json.RawMessage]
		if json.Unmarshal(body, &want) != nil {
			return // no service answers this
		}
		if err := decodePage(body, &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Records) != len(want.Records) || got.Total != want.Total || got.Cursor != want.Cursor ||
			got.HasMore != want.HasMore {
			t.Fatalf("%s: %+v, and not %+v", body, got, want)
		}
		for i := range want.Records {
			if !bytes.Equal(got.Records[i], want.Records[i]) {
				t.Errorf("%s: %s, and not %s", body, got.Records[i], want.Records[i])
			}
		}
	})
}
