package operation

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

type fieldsIn struct {
	Fields  *Values `json:"fields,omitzero"`
	Records []struct {
		ID     string `json:"id,omitzero"`
		Fields Values `json:"fields"`
	} `json:"records,omitzero"`
	Typecast bool `json:"typecast,omitzero"`
}

// The handler gets the records that validation read, whatever the white space, the escapes and the
// order of the names.
func TestTheFieldsOfRecordsAreHandedOn(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`{"fields" : { "A" : 1 , "B\u0062":"x\"y" } }`: `A=1 Bb="x\"y"`,
		`{"typecast":true,"fields":{}}`:                ``,
		`{"fields":null}`:                              `none`,
		`{"records":[]}`:                               `none`,
		"{\"records\":[{\"fields\":{\"A\":[1,{}]}},{\"fields\":{\n\"\\u0041\"\t:\n2},\"id\":\"r\"}]}": `A=[1,{}] | A=2`,
		`{"records":[{"fields":{"A":1,"B":2}},{"fields":{"B":3,"A":4}},{"fields":{"A":5}}]}`: `A=1 B=2 | ` +
			`B=3 A=4 | A=5`,
		`{"records":[{"fields":{"":1}},{"fields":{"\\":2}},{"fields":{"\\":3}}]}`: `=1 | \=2 | \=3`,
	} {
		var got []string
		op := New(Def{Name: "write"}, func(_ context.Context, c *Call, in fieldsIn) (struct{}, error) {
			var all []Values
			if in.Fields != nil {
				all = append(all, *in.Fields)
			}
			for _, r := range in.Records {
				all = append(all, r.Fields)
			}
			for _, one := range all {
				var members []string
				fields := c.values(one)
				for _, m := range fields.Members() {
					members = append(members, fmt.Sprintf("%s=%s", m.Name, m.Value))
				}
				got = append(got, strings.Join(members, " "))
			}
			return struct{}{}, nil
		})
		read, err := op.validate([]byte(raw))
		if err != nil {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		if _, err := op.run(t.Context(), &Call{input: read}); err != nil {
			t.Errorf("%s: %v", raw, err)
		}
		if len(got) == 0 {
			got = []string{"none"}
		}
		if text := strings.Join(got, " | "); text != want {
			t.Errorf("%s: %s, want %s", raw, text, want)
		}
	}
}
