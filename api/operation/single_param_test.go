package operation

import (
	"testing"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"
)

// A value that singleParam accepts is the one that the JSON decoder reads.
func TestSingleParamMatchesJSONDecoder(t *testing.T) {
	t.Parallel()
	written := rapid.OneOf(
		rapid.Custom(func(t *rapid.T) string { return `{"recordId":"` + rapid.String().Draw(t, "value") + `"}` }),
		rapid.StringMatching(`\{"recordId":"(rec_[0-9a-z]{0,32}|[ -~]{0,8}|\\\\[nu"]0{0,4}|","recordId":")"?\}?`),
	)
	rapid.Check(t, func(t *rapid.T) {
		raw := []byte(written.Draw(t, "raw"))
		value, ok := GetRecord.schemas().single.read(raw)
		if !ok {
			return
		}
		var in, decoded RecordAsOfIn
		if GetRecord.schemas().single.set(&in, value); in.RecordID != value {
			t.Fatalf("set %q, got %q", value, in.RecordID)
		}
		if err := json.Unmarshal(raw, &decoded); err != nil || decoded != in {
			t.Fatalf("%s was read as %+v; it is %+v, %v", raw, in, decoded, err)
		}
	})
	for raw, want := range map[string]bool{
		`{"recordId":"rec_0a"}`: true, `{"recordId":""}`: true,
		`{"recordId":"}`: false, `{"recordId":"\u0061"}`: false, `{"recordId":"é"}`: false, ` {"recordId":"a"}`: false,
		`{"recordId":"a","recordId":"b"}`: false, `{"recordId":"a"}}`: false, `{}`: false, `{"tableId":"a"}`: false,
	} {
		if _, ok := GetRecord.schemas().single.read([]byte(raw)); ok != want {
			t.Errorf("%s: %t", raw, ok)
		}
	}
	if UpdateRecord.schemas().single != nil || ListOrgs.schemas().single != nil {
		t.Error("an input of which several members or none are required has a singleParam")
	}
}
