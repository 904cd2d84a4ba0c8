package operation

import (
	"context"
	"strconv"
	"strings"
	"testing"
)

const benchFields = `{"Name":"Ada Almeida","Email":"ada.almeida17@example.com","Amount":4711.25,"Status":"active",` +
	`"Notes":"account address agreement answer balance board branch budget calendar campaign chapter client comment ` +
	`contract copy court","Due":"2025-03-14","Score":83,"Done":true}`

// The surface's part of reading a create: the envelope, checked and decoded.
func BenchmarkReadCreate(b *testing.B) {
	op := New(CreateRecords.Def, func(context.Context, *Call, struct {
		TableIn
		Fields  *Values `json:"fields,omitzero"`
		Records []struct {
			Fields Values `json:"fields"`
		} `json:"records,omitzero" maxItems:"100"`
		UpsertOn []string `json:"upsertOn,omitzero"`
		Typecast bool     `json:"typecast,omitzero"`
	},
	) (struct{}, error) {
		return struct{}{}, nil
	})
	for _, n := range []int{1, 100} {
		raw := []byte(`{"tableId":"tbl_0123456789abcdefghjkmnpqrs","fields":` + benchFields + `}`)
		if n > 1 {
			raw = []byte(`{"tableId":"tbl_0123456789abcdefghjkmnpqrs","records":[` +
				strings.Repeat(`{"fields":`+benchFields+`},`, n-1) + `{"fields":` + benchFields + `}]}`)
		}
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				in, err := op.validate(raw)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := op.run(b.Context(), &Call{input: in}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
