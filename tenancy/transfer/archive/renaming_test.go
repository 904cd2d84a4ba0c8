package archive_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/transfer/archive"
)

// Whatever names things of an archive names others behind a renaming, and the same ones behind its inverse. What is not
// of the archive stays.
func TestARenamingHasAnInverse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		draw := func(what string) uuid.UUID {
			var u uuid.UUID
			copy(u[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, what))
			u[6], u[8] = u[6]&0x0f|0x70, u[8]&0x3f|0x80
			return u
		}
		table, field, row, person := draw("table"), draw("field"), draw("row"), draw("person")
		base := &archive.Base{Tables: []archive.Table{{
			ID: id.Format(id.Table, table), Number: 7, Fields: []archive.Field{{ID: id.Format(id.Field, field)}},
		}}}
		r := archive.NewRenaming(base, id.New(), map[int32]int32{7: 9}, map[uuid.UUID]uuid.UUID{person: id.New()})
		foreign := []string{
			id.Format(id.Field, id.New()), id.FormatRecord(8, row), id.Format(id.User, id.New()), "fld_short",
			rapid.String().Draw(t, "text"),
		}
		own := []string{
			id.Format(id.Table, table), id.Format(id.Field, field), "{" + id.Format(id.Field, field) + "} + 1",
			id.FormatRecord(7, row), id.Format(id.User, person),
		}
		was, err := json.Marshal(map[string][]string{"own": own, "foreign": foreign})
		if err != nil {
			t.Fatal(err)
		}
		renamed := r.JSON(was)
		var is struct{ Own, Foreign []string }
		if err := json.Unmarshal(renamed, &is); err != nil {
			t.Fatal(err)
		}
		for i := range own {
			if is.Own[i] == own[i] {
				t.Errorf("%s stays", own[i])
			}
		}
		for i := range foreign {
			if is.Foreign[i] != foreign[i] && json.Valid([]byte(`"`+foreign[i]+`"`)) {
				t.Errorf("%s becomes %s", foreign[i], is.Foreign[i])
			}
		}
		if back := r.Inverse().JSON(renamed); !bytes.Equal(back, was) {
			t.Errorf("%s comes back as %s", was, back)
		}
	})
}

// No bytes make Open do anything but return an error.
func FuzzOpen(f *testing.F) {
	var whole bytes.Buffer
	w, err := archive.NewWriter(&whole, &archive.Base{Name: "Base", TimeZone: "UTC"}, false)
	if err == nil {
		err = w.Close(nil)
	}
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole.Bytes())
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, err := archive.Open(bytes.NewReader(raw), int64(len(raw)))
		if err == nil {
			err = a.Verify(t.Context())
		}
		if err != nil && err.Error() == "" {
			t.Error("an error says nothing")
		}
	})
}
